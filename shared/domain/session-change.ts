import { isDeepStrictEqual } from 'node:util';
import { type RoomRecord, type SessionRecord, unknownRoom } from './insight-records.ts';
import { among, type ParticipantRecord, type SessionKey, type Visitor, without } from './participant-record.ts';
import { earliest, type SessionDrift, type SessionState, type VisitorOfParticipant } from './session-drift.ts';
import type { ConnectionKind } from './session-projection.ts';
import { minus, noUsage, noVisitors, plus, type UniqueVisitors, type Usage } from './usage.ts';

/** A visitor that the room has counted, and how many of its sessions have. Null if the row is older than this number. */
export type RoomMark = Visitor & { readonly sessions: number | null };

/** Which of some visitors the session and the room have marked as counted. */
export type MarkedVisitors = { readonly session: readonly Visitor[]; readonly room: readonly RoomMark[] };

/** How many sessions of the room have counted a visitor, before and after a change. */
export type MovedMark = { readonly visitor: Visitor; readonly from: number; readonly to: number };

/** The earliest and the latest start of a room's other sessions. */
export type OtherStarts = { readonly first: string | null; readonly last: string | null };

/** The stored data of the room that a change of one of its sessions depends on. */
export type RoomState = {
  readonly room: RoomRecord | undefined;
  readonly counted: MarkedVisitors;
  /** Of the visitors that left a participant, those that the session's other events still name. */
  readonly stillPresent: readonly Visitor[];
  readonly otherStarts: OtherStarts;
};

/** The visitors whose marks a change has compared. */
type ComparedVisitors = Pick<SessionDrift, 'newVisitors' | 'goneVisitors'>;

/** Everything that one transaction writes. `room` is null if the room does not change. */
export type SessionChange = {
  readonly session: SessionRecord;
  readonly room: RoomRecord | null;
  readonly participants: readonly ParticipantRecord[];
  readonly goneParticipants: readonly string[];
  readonly sessionVisitors: readonly VisitorOfParticipant[];
  readonly goneVisitors: readonly Visitor[];
  readonly roomMarks: readonly MovedMark[];
  readonly movedStart: { readonly from: string | null; readonly to: string | null } | null;
};

/** Computes the change that makes the stored rows, including the room's totals, agree with the facts. */
export function changeOf(
  key: SessionKey,
  { session, participants: stored }: SessionState,
  drift: SessionDrift,
  { room = unknownRoom(key), counted, stillPresent, otherStarts }: RoomState,
): SessionChange {
  const sessionVisitors = without(drift.newVisitors, counted.session);
  const goneVisitors = without(among(drift.goneVisitors, counted.session), stillPresent);
  const roomMarks = [...movedMarks(sessionVisitors, 1, counted.room), ...movedMarks(goneVisitors, -1, counted.room)];
  const added = minus(usageOf(drift.participants), usageOf(stored.filter((old) => isReplaced(old, drift))));
  const visitorsOfRoom = (isCounted: (mark: MovedMark) => boolean) =>
    countByKind(roomMarks.filter(isCounted).map(({ visitor }) => visitor));
  const newInRoom = minus(
    visitorsOfRoom(({ from }) => from === 0),
    visitorsOfRoom(({ to }) => to === 0),
  );
  const changedRoom: RoomRecord = {
    ...room,
    sessions: room.sessions + Number(drift.startedAt !== null) - Number((session?.startedAt ?? null) !== null),
    usage: plus(room.usage, added),
    visitors: plus(room.visitors, newInRoom),
    ...(drift.isStartMoved && {
      firstSessionStartedAt: earliest(otherStarts.first, drift.startedAt),
      lastSessionStartedAt: latest(otherStarts.last, drift.startedAt),
    }),
  };
  return {
    session: {
      ...key,
      startedAt: drift.startedAt,
      endedAt: drift.endedAt,
      usage: plus(session?.usage ?? noUsage, added),
      visitors: plus(session?.visitors ?? noVisitors, minus(countByKind(sessionVisitors), countByKind(goneVisitors))),
      version: session?.version ?? 0,
    },
    // A moved start must also raise the room's version: changes of other sessions rely on it when they read the starts.
    room: drift.isStartMoved || !isDeepStrictEqual(changedRoom, room) ? changedRoom : null,
    ...{ participants: drift.participants, goneParticipants: drift.goneParticipants },
    ...{ sessionVisitors, goneVisitors, roomMarks },
    movedStart: drift.isStartMoved ? { from: session?.startedAt ?? null, to: drift.startedAt } : null,
  };
}

/** The marks of the room after one more or one less session has counted each visitor. */
function movedMarks(visitors: readonly Visitor[], by: 1 | -1, marks: readonly RoomMark[]): MovedMark[] {
  return visitors.flatMap(({ kind, visitorId }) => {
    const visitor = { kind, visitorId };
    const [mark] = among(marks, [visitor]);
    const from = mark ? mark.sessions : 0;
    // A mark without a number stays as it is, and a mark that the erasure of a person has removed stays removed.
    return from === null || from + by < 0 ? [] : [{ visitor, from, to: from + by }];
  });
}

/** The state after a change is committed, if nobody else has changed the session. */
export function stateAfter(state: SessionState, change: SessionChange, drift: ComparedVisitors): SessionState {
  const { session, participants } = change;
  return {
    ...state,
    session: { ...session, version: session.version + 1 },
    participants: [...state.participants.filter((old) => !isReplaced(old, change)), ...participants],
    compared: [...(state.compared ?? []), ...drift.newVisitors, ...drift.goneVisitors],
  };
}

function isReplaced(
  { participantId }: ParticipantRecord,
  { participants, goneParticipants }: Pick<SessionChange, 'participants' | 'goneParticipants'>,
): boolean {
  return (
    goneParticipants.includes(participantId) || participants.some((record) => record.participantId === participantId)
  );
}

function usageOf(participants: readonly ParticipantRecord[]): Usage {
  return participants.map(({ usage }) => usage).reduce(plus, noUsage);
}

function countByKind(visitors: readonly Visitor[]): UniqueVisitors {
  const countOf = (kind: ConnectionKind) => visitors.filter((visitor) => visitor.kind === kind).length;
  return { participant: countOf('participant'), recorder: countOf('recorder'), streamer: countOf('streamer') };
}

function latest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
