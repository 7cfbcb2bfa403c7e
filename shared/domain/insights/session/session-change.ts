import { isDeepStrictEqual } from 'node:util';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import type { Told } from '#shared/domain/notices/told.ts';
import { countsOf } from '../completeness.ts';
import type { VisitorKind } from '../connection-kind.ts';
import type { RoomRecord, SessionRecord } from '../insight-records.ts';
import { unknownRoom } from '../insight-records.ts';
import { earliest, latest, type SessionKey, type Visitor } from '../participant-record.ts';
import { type ChangedVisitors, moveVisitors, type VisitorSegment } from '../room-visitors.ts';
import { minus, noUsage, plus, type UniqueVisitors } from '../usage.ts';
import type { RoomSession, SessionView } from './session-view.ts';

/** The earliest and the latest start of a room's other sessions. */
export type OtherStarts = { readonly first: string | null; readonly last: string | null };

/** What is stored of a room whose session changes. */
export type StoredRoom = {
  readonly session: SessionRecord | undefined;
  readonly room: RoomRecord | undefined;
  /** All segments of the shards of the visitors that change. */
  readonly segments: readonly VisitorSegment[];
  readonly otherStarts: OtherStarts;
};

/** What a change of a session changes in its room. `room` is null if the room itself stays as it is. */
export type RoomChange = {
  readonly session: SessionRecord;
  readonly room: RoomRecord | null;
  readonly segments: readonly VisitorSegment[];
  readonly movedStart: { readonly from: string | null; readonly to: string | null } | null;
  /** What others are told of the change at once; null for nothing. */
  readonly notice: OrganizationNotice | null;
  /** What was told of the session when it was read. An end that is told meanwhile makes the change fail. */
  readonly toldBefore?: Told | undefined;
};

/** A change without what is told of it. */
export type CountedChange = Omit<RoomChange, 'notice' | 'toldBefore'>;

/** Everything that one transaction writes: the sessions with one id, which together have a version, and their rooms. */
export type SessionChange = {
  readonly to: number;
  readonly rooms: readonly RoomChange[];
};

/** The number of items that a change writes: sessions, rooms, segments of visitors, a start that is deleted or put, and notices. */
export function itemsOf({ rooms }: Pick<SessionChange, 'rooms'>): number {
  const itemsOfRoom = ({ room, segments, movedStart, notice }: RoomChange) =>
    1 + segments.length + [room, movedStart?.from, movedStart?.to, notice].filter(Boolean).length;
  return rooms.reduce((sum, change) => sum + itemsOfRoom(change), 0);
}

/** The visitors of a room's session that only one of the views contains. */
export function changedVisitors(roomName: string, before: SessionView, after: SessionView): ChangedVisitors {
  const visitorsOf = ({ rooms }: SessionView): RoomSession['visitors'] => rooms.get(roomName)?.visitors ?? new Map();
  const only = (one: SessionView, other: SessionView) =>
    [...visitorsOf(one)].filter(([name]) => !visitorsOf(other).has(name)).map(([, visitor]) => visitor);
  return { added: only(after, before), gone: only(before, after) };
}

/** True if the session of the room starts at another time than is stored. */
export function isStartMoved(session: SessionRecord | undefined, { startedAt }: RoomSession): boolean {
  return (session?.startedAt ?? null) !== startedAt;
}

/** Computes the change of one room's session, including the room's totals. They change by the difference from what is stored. */
export function roomChange(
  key: SessionKey,
  described: RoomSession,
  changed: ChangedVisitors,
  { session, room = unknownRoom(key), segments, otherStarts }: StoredRoom,
): CountedChange {
  const moved = moveVisitors(segments, changed);
  const startMoves = isStartMoved(session, described);
  const changedRoom: RoomRecord = {
    ...room,
    sessions: room.sessions + Number(described.startedAt !== null) - Number((session?.startedAt ?? null) !== null),
    usage: plus(room.usage, minus(described.usage, session?.usage ?? noUsage)),
    visitors: plus(room.visitors, moved.change),
    missing: plus(room.missing, minus(countsOf(described.missing), countsOf(session?.missing ?? []))),
    asOf: latest(room.asOf, described.heardAt),
    ...(startMoves && {
      firstSessionStartedAt: earliest(otherStarts.first, described.startedAt),
      lastSessionStartedAt: latest(otherStarts.last, described.startedAt),
    }),
  };
  return {
    session: {
      ...key,
      startedAt: described.startedAt,
      endedAt: described.endedAt,
      usage: described.usage,
      visitors: countByKind([...described.visitors.values()]),
      talk: described.talk,
      missing: described.missing,
      asOf: described.asOf,
      version: session?.version ?? 0,
      listedVersion: session?.listedVersion ?? 0,
    },
    // A room without events is stored, too: an erasure finds its sessions by it. A moved start must also raise the room's version:
    // changes of other sessions rely on it when they read the starts.
    room: room.version === 0 || startMoves || !isDeepStrictEqual(changedRoom, room) ? changedRoom : null,
    segments: moved.segments,
    movedStart: startMoves ? { from: session?.startedAt ?? null, to: described.startedAt } : null,
  };
}

function countByKind(visitors: readonly Visitor[]): UniqueVisitors {
  const countOf = (kind: VisitorKind) => visitors.filter((visitor) => visitor.kind === kind).length;
  return { participant: countOf('participant'), recorder: countOf('recorder'), streamer: countOf('streamer') };
}
