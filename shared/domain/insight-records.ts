import type { RoomInsight, RoomSessionInsight } from '../contracts/insights.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { RoomCreated } from '../contracts/session-events.ts';
import type { SessionKey } from './participant-record.ts';
import { noUsage, noVisitors, totalsOf, type UniqueVisitors, type Usage } from './usage.ts';

/** A session as it is stored. Whoever writes it names the version that they read, so that no change is made twice or lost. */
export type SessionRecord = SessionKey & {
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly usage: Usage;
  readonly visitors: UniqueVisitors;
  /** From when on no event changes it; undefined where its facts do not expire. */
  readonly closesAt?: string | undefined;
  readonly version: number;
};

/** A room's identity. */
export type RoomKey = { readonly organizationId: OrganizationId; readonly roomName: string };

/** A room as it is stored, under a version as a session is. */
export type RoomRecord = RoomKey & {
  /** Of the earliest `room.created`; null where none arrived. */
  readonly createdAt: string | null;
  readonly endAt: string | null;
  /** Time and id of the event that `endAt` comes from: a later one has the last word. */
  readonly endAtSetBy: string | null;
  readonly firstSessionStartedAt: string | null;
  readonly lastSessionStartedAt: string | null;
  readonly sessions: number;
  readonly usage: Usage;
  readonly visitors: UniqueVisitors;
  readonly version: number;
};

/** A room of which nothing is known but its name. */
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
    version: 0,
  };
}

/** The room after the event; the same object where the event says nothing new. In any order, they come to the same. */
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

/** A room as the API shows it. Without a `room.created`, it has been there since its first session. */
export function toRoomInsight(room: RoomRecord): RoomInsight {
  const createdAt = room.createdAt ?? room.firstSessionStartedAt;
  if (createdAt === null) throw new Error('A room is stored when it is created, or with its first session.');
  return {
    roomName: room.roomName,
    createdAt,
    endAt: room.endAt,
    firstSessionStartedAt: room.firstSessionStartedAt,
    lastSessionStartedAt: room.lastSessionStartedAt,
    totalSessions: room.sessions,
    ...totalsOf(room),
  };
}

/** A session as the API shows it. */
export function toRoomSessionInsight(session: SessionRecord): RoomSessionInsight {
  const { roomSessionId, roomName, startedAt, endedAt } = session;
  return { roomSessionId, roomName, startedAt, endedAt, ...totalsOf(session) };
}
