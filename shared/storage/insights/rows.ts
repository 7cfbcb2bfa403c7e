import * as z from 'zod/mini';
import {
  missingKinds,
  roomSessionSortFields,
  roomValueFields,
  spokenSourcesOfSessions,
} from '#shared/contracts/insights/insights.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { nothingMissing } from '#shared/domain/insights/completeness.ts';
import {
  createdAtOf,
  isRoomShown,
  type RoomRecord,
  type SessionRecord,
} from '#shared/domain/insights/insight-records.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { noUsage, noVisitors, totalsOf } from '#shared/domain/insights/usage.ts';
import { attributeNames, sortAttributeName } from '#shared/runtime/names.ts';
import { dueShard, partsOfOrganizationRoom } from '../common/keys.ts';
import { hiddenRooms, organizationShard, roomKey, sessionKey } from './keys.ts';
import { sortAttributesOf, sortedCount, sortedTime } from './sort-attributes.ts';
import { CountedText, settlingAttributes, settlingOfRow, ToldText, toldAttributes, toldOfRow } from './told.ts';

const time = z.nullable(z.string());

const RoomOfKey = z.pipe(
  z.pipe(z.string(), z.transform(partsOfOrganizationRoom)),
  z.tuple([OrganizationId, z.string()]),
);
const SortedTime = z.pipe(z.string(), z.transform(sortedTime));
const SortedCount = z.pipe(z.pipe(z.string(), z.transform(sortedCount)), z.int());

const totals = {
  ratingThousandths: z.number(),
  totalParticipantMinutesSort: SortedCount,
  totalRecorderMinutesSort: SortedCount,
  totalStreamerMinutesSort: SortedCount,
  totalUniqueParticipantsSort: SortedCount,
  totalUniqueRecordersSort: SortedCount,
  totalUniqueStreamersSort: SortedCount,
  totalRatingsSort: SortedCount,
};

/** A room's row contains most values only once: in the attributes that its indexes sort by. */
const RoomRow = z.object({
  ...totals,
  organizationRoom: RoomOfKey,
  createdAt: time,
  endAtSetBy: z.nullable(z.string()),
  version: z.number(),
  endAtSort: SortedTime,
  firstSessionStartedAtSort: SortedTime,
  lastSessionStartedAtSort: SortedTime,
  totalSessionsSort: SortedCount,
  missing: z.optional(z.partialRecord(z.enum(missingKinds), z.int())),
  heardAt: z.optional(z.number()),
});

const session = {
  organizationRoom: RoomOfKey,
  roomSessionId: z.string(),
  closesAt: z.optional(z.string()),
  told: z.optional(ToldText),
  counted: z.optional(CountedText),
  version: z.number(),
  listedVersion: z.number(),
  dueAt: z.optional(z.string()),
  settleBy: z.optional(z.number()),
};

/** A session's row has its values in sort attributes, too, unless every event was taken back. */
const ShownSessionRow = z.object({
  ...{ ...session, ...totals, startedAt: z.string(), endedAtSort: SortedTime },
  spokenMs: z.optional(z.number()),
  spokenSource: z.optional(z.enum(spokenSourcesOfSessions)),
  missing: z.optional(z.array(z.enum(missingKinds))),
  asOfMs: z.optional(z.number()),
});
const SessionEntry = z.object({ organizationRoom: RoomOfKey, roomSessionId: z.string() });
const HiddenSessionRow = z.object({ ...session, startedAt: z.null() });

type Item = Record<string, unknown>;

/** The item of a room. A room that is not shown is in the indexes, too, but in a partition that no list reads. */
export function toRoomRow(room: RoomRecord): Item {
  const { roomName, organizationId, createdAt, endAt, firstSessionStartedAt, lastSessionStartedAt } = room;
  const values = {
    ...{ endAt, firstSessionStartedAt, lastSessionStartedAt, totalSessions: room.sessions, ...totalsOf(room) },
    createdAt: createdAtOf(room),
  };
  return {
    ...roomKey(room),
    [attributeNames.organizationShard]: isRoomShown(room) ? organizationShard(room) : hiddenRooms(organizationId),
    createdAt,
    endAtSetBy: room.endAtSetBy,
    ratingThousandths: room.usage.ratingThousandths,
    version: room.version,
    ...missingOfRoom(room),
    ...(room.asOf !== null && { heardAt: Date.parse(room.asOf) }),
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
    ...totalsOfRow(row),
    missing: { ...nothingMissing, ...row.missing },
    // A row that was stored before rooms had this time has that of its latest start until its next change.
    asOf: row.heardAt === undefined ? row.lastSessionStartedAtSort : new Date(row.heardAt).toISOString(),
    version: row.version,
  };
}

/** The counts of a room that are not 0. Most rooms have none. */
function missingOfRoom({ missing }: RoomRecord): Item {
  const counts = Object.entries(missing).filter(([, count]) => count !== 0);
  return counts.length === 0 ? {} : { missing: Object.fromEntries(counts) };
}

/** The item of a session. Its indexes contain it only if it is shown, except the one of what is due. */
export function toSessionRow(session: SessionRecord): Item {
  const { startedAt, endedAt, closesAt, told, settling, version, listedVersion, usage } = session;
  return {
    ...{ ...sessionKey(session), startedAt, version, listedVersion },
    ...(closesAt !== undefined && { closesAt }),
    ...(told !== undefined && toldAttributes(told)),
    ...(settling !== undefined && settlingAttributes(session.roomSessionId, settling)),
    ...(startedAt !== null && {
      ratingThousandths: usage.ratingThousandths,
      ...basisOf({ ...session, startedAt }),
      ...sortAttributesOf(roomSessionSortFields, { startedAt, endedAt, ...totalsOf(session) }, session.roomSessionId),
    }),
  };
}

/** The key of a session, from its item or its entry in an index. */
export function toSessionKey(item: Item): SessionKey {
  const { organizationRoom, roomSessionId } = SessionEntry.parse(item);
  const [organizationId, roomName] = organizationRoom;
  return { organizationId, roomName, roomSessionId };
}

/** A session from its item. Without events it has no totals. */
export function toSessionRecord(item: Item): SessionRecord {
  const row = item.startedAt === null ? HiddenSessionRow.parse(item) : ShownSessionRow.parse(item);
  const [organizationId, roomName] = row.organizationRoom;
  const { roomSessionId, closesAt, version, listedVersion } = row;
  return {
    ...{ organizationId, roomName, roomSessionId, version, listedVersion },
    ...(closesAt !== undefined && { closesAt }),
    ...toldOfRow(row),
    ...(row.startedAt === null
      ? { startedAt: null, endedAt: null, usage: noUsage, visitors: noVisitors, ...noBasis, ...settlingOf(row) }
      : { startedAt: row.startedAt, endedAt: row.endedAtSort, ...totalsOfRow(row), ...basisOfRow(row) }),
  };
}

/** The source of rows that name none: the only one that there was at first. */
const usualSource = 'platform';

const noBasis = { talk: null, missing: [], asOf: null };

/**
 * What the figures rest on, in few bytes: most rows are just below a kilobyte, and a session without faults has none of it when it has
 * ended. The time of the latest event is stored in milliseconds after the start.
 */
function basisOf({ startedAt, endedAt, talk, missing, asOf, ...session }: ShownSession): Item {
  return {
    ...(talk !== null && { spokenMs: talk.ms, ...(talk.source !== usualSource && { spokenSource: talk.source }) }),
    ...(missing.length > 0 && { missing }),
    ...(asOf !== null && asOf !== (endedAt ?? startedAt) && { asOfMs: Date.parse(asOf) - Date.parse(startedAt) }),
    ...(session.idleFrom !== undefined && {
      [attributeNames.dueShard]: dueShard(session.roomSessionId),
      [attributeNames.dueAt]: session.idleFrom,
    }),
  };
}

type ShownSession = SessionRecord & { readonly startedAt: string };

/** A row that was stored before sessions had these values misses nothing until its next change. */
function basisOfRow(row: z.infer<typeof ShownSessionRow>) {
  const { startedAt, endedAtSort, spokenMs, spokenSource = usualSource, missing, asOfMs, dueAt } = row;
  return {
    talk: spokenMs === undefined ? null : { ms: spokenMs, source: spokenSource },
    missing: missing ?? [],
    asOf: asOfMs === undefined ? (endedAtSort ?? startedAt) : new Date(Date.parse(startedAt) + asOfMs).toISOString(),
    // A session that has ended is due because its end is to be told.
    ...(endedAtSort !== null ? settlingOf(row) : dueAt !== undefined && { idleFrom: dueAt }),
  };
}

function settlingOf({
  dueAt,
  settleBy,
}: {
  readonly dueAt?: string | undefined;
  readonly settleBy?: number | undefined;
}) {
  return dueAt === undefined ? {} : settlingOfRow(dueAt, settleBy);
}

/** The totals that the sort attributes of a room or a session contain. */
function totalsOfRow(row: Readonly<Record<keyof typeof totals, number>>) {
  return {
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
  };
}
