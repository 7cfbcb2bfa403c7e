import type {
  Missing,
  RoomInsight,
  RoomSessionInsight,
  SpokenSourceOfSession,
} from '#shared/contracts/insights/insights.ts';
import type { RoomCreated } from '#shared/contracts/insights/session-events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Settling, Told } from '../notices/told.ts';
import { completenessOf, type MissingCounts, missingOf, nothingMissing } from './completeness.ts';
import { latest, type SessionKey } from './participant-record.ts';
import { shownTalk, type TalkTime } from './talk-time.ts';
import { noUsage, noVisitors, totalsOf, type UniqueVisitors, type Usage } from './usage.ts';

/** A session as it is stored. A write requires the version that the writer has read, so that no change is lost or made twice. All sessions with one id have the same version. */
export type SessionRecord = SessionKey & {
  /** Null if every event was taken back. The session is then not shown, but keeps its version. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly usage: Usage;
  readonly visitors: UniqueVisitors;
  readonly talk: TalkTime<SpokenSourceOfSession> | null;
  readonly missing: readonly Missing[];
  /** The time of the latest event that counts. Null if every event was taken back. */
  readonly asOf: string | null;
  /** The hour from which the session is closed if no further event comes. Undefined if it has ended, or is never closed so. */
  readonly idleFrom?: string | undefined;
  /** What was told of the session last. Undefined if nothing was, as of a session that was stored before sessions were told. */
  readonly told?: Told | undefined;
  /** When the end is told. Undefined if it was told as it is now, or the session has not ended. */
  readonly settling?: Settling | undefined;
  /** The time from which events no longer change the session. Undefined if its facts do not expire. */
  readonly closesAt?: string | undefined;
  /** The number of the last block of the session's log that the totals include. */
  readonly version: number;
  /** The version of which the participant lists surely include everything. They follow the totals. */
  readonly listedVersion: number;
};

/** A room's identity. */
export type RoomKey = { readonly organizationId: OrganizationId; readonly roomName: string };

/** A room as it is stored. It has a version, as a session has. */
export type RoomRecord = RoomKey & {
  /** Time of the earliest `room.created`; null if none has arrived. */
  readonly createdAt: string | null;
  readonly endAt: string | null;
  /** Time and id of the event that has set `endAt`. Only a later event changes it. */
  readonly endAtSetBy: string | null;
  readonly firstSessionStartedAt: string | null;
  readonly lastSessionStartedAt: string | null;
  readonly sessions: number;
  readonly usage: Usage;
  readonly visitors: UniqueVisitors;
  /** How many of its sessions miss what. */
  readonly missing: MissingCounts;
  /** The time of the latest event of its sessions, also of one that was taken back; null without any. */
  readonly asOf: string | null;
  readonly version: number;
};

/** A room before its first event. */
export function unknownRoom({ organizationId, roomName }: RoomKey): RoomRecord {
  return {
    organizationId,
    roomName,
    createdAt: null,
    endAt: null,
    endAtSetBy: null,
    firstSessionStartedAt: null,
    lastSessionStartedAt: null,
    sessions: 0,
    usage: noUsage,
    visitors: noVisitors,
    missing: nothingMissing,
    asOf: null,
    version: 0,
  };
}

/** The room after the event, or the same object if the event says nothing new. The order of events does not matter. */
export function afterCreation(room: RoomRecord, { id, createdAt, data }: RoomCreated): RoomRecord {
  const setBy = `${createdAt} ${id}`;
  const isLatest = room.endAtSetBy === null || setBy > room.endAtSetBy;
  const isEarliest = room.createdAt === null || createdAt < room.createdAt;
  if (!isLatest && !isEarliest) return room;
  return {
    ...room,
    ...(isEarliest && { createdAt }),
    ...(isLatest && { endAt: data.endAt ?? null, endAtSetBy: setBy }),
  };
}

/** The room as the creations that are left describe it. */
export function afterRetraction(room: RoomRecord, creations: readonly RoomCreated[]): RoomRecord {
  return creations.reduce<RoomRecord>(afterCreation, { ...room, createdAt: null, endAt: null, endAtSetBy: null });
}

/** When a room was created: without a `room.created`, the start of its first session. Null for a room that is not shown. */
export function createdAtOf({ createdAt, firstSessionStartedAt }: RoomRecord): string | null {
  return createdAt ?? firstSessionStartedAt;
}

/** A room as the API shows it. */
export function toRoomInsight(room: RoomRecord): RoomInsight {
  const createdAt = createdAtOf(room);
  if (createdAt === null) throw new Error('A room is stored when it is created, or with its first session.');
  return {
    roomName: room.roomName,
    createdAt,
    endAt: room.endAt,
    firstSessionStartedAt: room.firstSessionStartedAt,
    lastSessionStartedAt: room.lastSessionStartedAt,
    totalSessions: room.sessions,
    ...totalsOf(room),
    completeness: completenessOf(missingOf(room.missing)),
    asOf: latest(room.asOf, createdLastAt(room)) ?? createdAt,
  };
}

/** The time of the creation that set `endAt`: the latest one. */
function createdLastAt({ endAtSetBy }: RoomRecord): string | null {
  return endAtSetBy?.split(' ')[0] ?? null;
}

/** True for a room that was created or had a session, and not all of that was taken back. */
export function isRoomShown(room: RoomRecord): boolean {
  return createdAtOf(room) !== null;
}

/** A session as the API shows it, with the creation and the end of its room. */
export function toRoomSessionInsight(session: SessionRecord, room: RoomRecord): RoomSessionInsight {
  const createdAt = createdAtOf(room);
  if (createdAt === null) throw new Error('A room without events is not shown.');
  const { roomSessionId, roomName, ...figures } = toSessionFigures(session);
  return { roomSessionId, roomName, createdAt, endAt: room.endAt, ...figures };
}

/** What the API shows of a session, and a notice of its end tells: all but what comes from its room. */
export function toSessionFigures(session: SessionRecord): Omit<RoomSessionInsight, 'createdAt' | 'endAt'> {
  const { roomSessionId, roomName, startedAt, endedAt } = session;
  if (startedAt === null) throw new Error('A session without events is not shown.');
  return {
    ...{ roomSessionId, roomName, startedAt, endedAt, ...totalsOf(session) },
    ...shownTalk(session.talk),
    completeness: completenessOf(session.missing),
    asOf: session.asOf ?? startedAt,
  };
}
