import * as z from 'zod/mini';
import {
  participantSortFields,
  roomIndexFields,
  roomSessionSortFields,
  SessionParticipant,
} from '../../contracts/insights.ts';
import { OrganizationId } from '../../contracts/organization.ts';
import {
  isRoomShown,
  type RoomRecord,
  type SessionRecord,
  toRoomInsight,
  toRoomSessionInsight,
} from '../../domain/insight-records.ts';
import type { ParticipantRecord, SessionKey } from '../../domain/participant-record.ts';
import { noUsage, noVisitors } from '../../domain/usage.ts';
import { attributeNames } from '../../names.ts';
import {
  organizationExternalId,
  organizationSessionExternalId,
  participantKey,
  participantTieBreak,
  roomKey,
  sessionKey,
  sortAttributesOf,
} from './keys.ts';

const namesOf = <Name extends string>(counts: Readonly<Record<Name, number>>) => Object.keys(counts) as Name[];

const Usage = z.record(z.enum(namesOf(noUsage)), z.number());
const Kind = z.enum(namesOf(noVisitors));
const UniqueVisitors = z.record(Kind, z.number());
const time = z.nullable(z.string());

const RoomRow = z.object({
  organizationId: OrganizationId,
  roomName: z.string(),
  createdAt: time,
  endAt: time,
  endAtSetBy: z.nullable(z.string()),
  firstSessionStartedAt: time,
  lastSessionStartedAt: time,
  sessions: z.number(),
  usage: Usage,
  visitors: UniqueVisitors,
  version: z.number(),
});

const SessionRow = z.object({
  organizationId: OrganizationId,
  roomName: z.string(),
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

/** The item of a room, with the attributes that its indexes sort by if the room is shown. */
export function toRoomRow(room: RoomRecord): Item {
  const sortAttributes = isRoomShown(room) && sortAttributesOf(roomIndexFields, toRoomInsight(room), room.roomName);
  return { ...room, ...roomKey(room), ...sortAttributes };
}

/** A room from its item. Throws if the item has another shape, because that is a defect. */
export function toRoomRecord(item: Item): RoomRecord {
  return RoomRow.parse(item);
}

/** The item of a session, with the attributes that its indexes sort by if the session is shown. */
export function toSessionRow(session: SessionRecord): Item {
  const sortAttributes =
    session.startedAt !== null &&
    sortAttributesOf(roomSessionSortFields, toRoomSessionInsight(session), session.roomSessionId);
  return { ...session, ...sessionKey(session), ...sortAttributes };
}

/** A session from its item. */
export function toSessionRecord(item: Item): SessionRecord {
  return SessionRow.parse(item);
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
