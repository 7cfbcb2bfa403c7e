import * as z from 'zod/mini';
import {
  participantSortFields,
  roomSessionSortFields,
  roomValueFields,
  SessionParticipant,
} from '../../contracts/insights.ts';
import { OrganizationId } from '../../contracts/organization.ts';
import {
  isRoomShown,
  type RoomRecord,
  type SessionRecord,
  toRoomSessionInsight,
} from '../../domain/insight-records.ts';
import type { ParticipantRecord, SessionKey } from '../../domain/participant-record.ts';
import { noUsage, noVisitors, totalsOf } from '../../domain/usage.ts';
import { attributeNames, sortAttributeName } from '../../names.ts';
import { partsOfOrganizationRoom } from '../keys.ts';
import {
  hiddenRooms,
  organizationExternalId,
  organizationSessionExternalId,
  organizationShard,
  participantKey,
  participantTieBreak,
  roomKey,
  sessionKey,
} from './keys.ts';
import { sortAttributesOf, sortedCount, sortedTime } from './sort-attributes.ts';

const namesOf = <Name extends string>(counts: Readonly<Record<Name, number>>) => Object.keys(counts) as Name[];

const Usage = z.record(z.enum(namesOf(noUsage)), z.number());
const Kind = z.enum(namesOf(noVisitors));
const UniqueVisitors = z.record(Kind, z.number());
const time = z.nullable(z.string());

const RoomOfKey = z.pipe(
  z.pipe(z.string(), z.transform(partsOfOrganizationRoom)),
  z.tuple([OrganizationId, z.string()]),
);
const SortedTime = z.pipe(z.string(), z.transform(sortedTime));
const SortedCount = z.pipe(z.pipe(z.string(), z.transform(sortedCount)), z.int());

/** A room's row contains most values only once: in the attributes that its indexes sort by. */
const RoomRow = z.object({
  organizationRoom: RoomOfKey,
  createdAt: time,
  endAtSetBy: z.nullable(z.string()),
  ratingThousandths: z.number(),
  version: z.number(),
  endAtSort: SortedTime,
  firstSessionStartedAtSort: SortedTime,
  lastSessionStartedAtSort: SortedTime,
  totalSessionsSort: SortedCount,
  totalParticipantMinutesSort: SortedCount,
  totalRecorderMinutesSort: SortedCount,
  totalStreamerMinutesSort: SortedCount,
  totalUniqueParticipantsSort: SortedCount,
  totalUniqueRecordersSort: SortedCount,
  totalUniqueStreamersSort: SortedCount,
  totalRatingsSort: SortedCount,
});

const SessionRow = z.object({
  organizationRoom: RoomOfKey,
  roomSessionId: z.string(),
  startedAt: time,
  endedAt: time,
  usage: Usage,
  visitors: UniqueVisitors,
  closesAt: z.optional(z.string()),
  version: z.number(),
});

const ParticipantRow = z.object({
  participantId: z.string(),
  usage: Usage,
  counted: z._default(z.object({ number: z.number(), digest: z.string() }), { number: 0, digest: '' }), // the oldest rows lack it, and their marks are read again
  sessionEnd: z._default(z.nullable(z.string()), ''), // the oldest rows lack it, so any session end updates them
  listed: z.nullable(SessionParticipant),
});

type Item = Record<string, unknown>;

/** The item of a room. A room that is not shown is in the indexes, too, but in a partition that no list reads. */
export function toRoomRow(room: RoomRecord): Item {
  const { roomName, organizationId, createdAt, endAt, firstSessionStartedAt, lastSessionStartedAt } = room;
  const values = {
    ...{ endAt, firstSessionStartedAt, lastSessionStartedAt, totalSessions: room.sessions, ...totalsOf(room) },
    createdAt: createdAt ?? firstSessionStartedAt,
  };
  return {
    ...roomKey(room),
    [attributeNames.organizationShard]: isRoomShown(room) ? organizationShard(room) : hiddenRooms(organizationId),
    createdAt,
    endAtSetBy: room.endAtSetBy,
    ratingThousandths: room.usage.ratingThousandths,
    version: room.version,
    [sortAttributeName('roomName')]: roomName,
    ...sortAttributesOf(roomValueFields, values, roomName),
  };
}

/** A room from its item. Throws if the item has another shape, because that is a defect. */
export function toRoomRecord(item: Item): RoomRecord {
  const row = RoomRow.parse(item);
  const [organizationId, roomName] = row.organizationRoom;
  return {
    ...{ organizationId, roomName, createdAt: row.createdAt, endAt: row.endAtSort, endAtSetBy: row.endAtSetBy },
    firstSessionStartedAt: row.firstSessionStartedAtSort,
    lastSessionStartedAt: row.lastSessionStartedAtSort,
    sessions: row.totalSessionsSort,
    usage: {
      participantMinutes: row.totalParticipantMinutesSort,
      recorderMinutes: row.totalRecorderMinutesSort,
      streamerMinutes: row.totalStreamerMinutesSort,
      ratingThousandths: row.ratingThousandths,
      ratings: row.totalRatingsSort,
    },
    visitors: {
      participant: row.totalUniqueParticipantsSort,
      recorder: row.totalUniqueRecordersSort,
      streamer: row.totalUniqueStreamersSort,
    },
    version: row.version,
  };
}

/** The item of a session, with the attributes that its indexes sort by if the session is shown. */
export function toSessionRow(session: SessionRecord): Item {
  const sortAttributes =
    session.startedAt !== null &&
    sortAttributesOf(roomSessionSortFields, toRoomSessionInsight(session), session.roomSessionId);
  const { organizationId: _, roomName: __, ...values } = session; // the key contains both
  return { ...values, ...sessionKey(session), ...sortAttributes };
}

/** A session from its item. */
export function toSessionRecord(item: Item): SessionRecord {
  const { organizationRoom, ...values } = SessionRow.parse(item);
  const [organizationId, roomName] = organizationRoom;
  return { ...values, organizationId, roomName };
}

/** The item of a participant. Only listed participants are in the indexes, and only those with an external id in the indexes of external ids. */
export function toParticipantRow(session: SessionKey, record: ParticipantRecord): Item {
  const keys = participantKey(session, record.participantId);
  const { listed } = record;
  return {
    ...record,
    ...keys,
    ...(listed && sortAttributesOf(participantSortFields, listed, participantTieBreak(session, record.participantId))),
    ...(listed?.externalId && {
      [attributeNames.organizationExternalId]: organizationExternalId(session.organizationId, listed.externalId),
      [attributeNames.organizationSessionExternalId]: organizationSessionExternalId(session, listed.externalId),
    }),
  };
}

/** A participant from its item. */
export function toParticipantRecord(item: Item): ParticipantRecord {
  return ParticipantRow.parse(item);
}
