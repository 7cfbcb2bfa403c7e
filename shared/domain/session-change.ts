import { isDeepStrictEqual } from 'node:util';
import type { SessionFact } from '../contracts/session-events.ts';
import { newVisitorsPerChange } from './change-size.ts';
import { type RoomRecord, type SessionRecord, unknownRoom } from './insight-records.ts';
import {
  among,
  countedVisitors,
  distinct,
  type ParticipantRecord,
  type ParticipantVisitor,
  participantRecord,
  type SessionKey,
  uncounted,
  type Visitor,
  visitorsOf,
  without,
} from './participant-record.ts';
import { type ConnectionKind, projectSession } from './session-projection.ts';
import { minus, noUsage, noVisitors, plus, type UniqueVisitors, type Usage } from './usage.ts';

/** The stored rows of a session and some of its participants, and the facts that determine them. */
export type SessionState = {
  readonly session: SessionRecord | undefined;
  readonly participants: readonly ParticipantRecord[];
  readonly facts: readonly SessionFact[];
  /** The time of the session's earliest event that was not taken back, if all facts of the session were read. */
  readonly earliestAt?: string | null;
};

/** A visitor, and the participant as whom the visitor came. */
export type VisitorOfParticipant = Visitor & { readonly participantId: string };

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

/** How a session's stored rows differ from its facts: the values that the rows must get. */
export type SessionDrift = {
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly participants: readonly ParticipantRecord[];
  /** The ids of stored participants without any event. */
  readonly goneParticipants: readonly string[];
  /** Visitors that the participants' rows do not include yet. The session and the room may have counted some of them. */
  readonly newVisitors: readonly VisitorOfParticipant[];
  /** Visitors whose joins as a participant were all taken back. Other participants may still be the same visitor. */
  readonly goneVisitors: readonly Visitor[];
  /** The session has no stored start, or a different one. */
  readonly isStartMoved: boolean;
  /** More visitors must be counted than fit into one transaction. Another change must follow. */
  readonly isPartial: boolean;
  /** The stored rows agree with the facts, so there is nothing to write. */
  readonly isNone: boolean;
};

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

/** Compares the stored rows with the facts. Returns null if there are neither facts nor a stored session. */
export function findDrift(key: SessionKey, state: SessionState): SessionDrift | null {
  const { session, participants: stored, facts } = state;
  if (!session && facts.length === 0) return null;
  const projected = projectSession(facts);
  const earliestAt =
    state.earliestAt === undefined ? earliest(session?.startedAt ?? null, projected.earliestAt) : state.earliestAt;
  const startedAt = projected.observedStartAt ?? earliestAt;
  const { endedAt } = projected;
  const planned = projected.participants.map((participant) => {
    const record = participantRecord(key, participant, endedAt);
    const known = stored.find(({ participantId }) => participantId === record.participantId);
    const visitors = visitorsOf(participant);
    return { record, known, visitors, isGone: participant.isGone, uncounted: uncountedOf(visitors, known) };
  });
  const { now, later, ...visitors } = uncountedVisitors(planned);
  const participants = planned
    .filter(({ isGone, uncounted }) => !isGone || numberBefore(later, uncounted) < uncounted.length)
    .map(({ record, known, visitors, uncounted }) => {
      const left = uncounted.length - numberBefore(later, uncounted);
      return { known, record: { ...record, counted: countedVisitors(visitors.slice(0, visitors.length - left)) } };
    })
    .flatMap(({ record, known }) => (isDeepStrictEqual(known, record) ? [] : [record]));
  const goneParticipants = planned
    .filter(({ known, isGone, uncounted }) => known && isGone && numberBefore(later, uncounted) === uncounted.length)
    .map(({ record: { participantId } }) => participantId);
  const isStartMoved = (session?.startedAt ?? null) !== startedAt;
  const isWithoutChange = participants.length === 0 && goneParticipants.length === 0 && now.length === 0;
  return {
    ...{ startedAt, endedAt, participants, goneParticipants, isStartMoved, ...visitors },
    isPartial: later.length > 0,
    isNone: isWithoutChange && !isStartMoved && (session?.endedAt ?? null) === endedAt,
  };
}

function uncountedOf(visitors: readonly ParticipantVisitor[], known: ParticipantRecord | undefined) {
  return uncounted(visitors, known?.counted ?? countedVisitors([]));
}

type PlannedParticipant = { readonly record: ParticipantRecord; readonly uncounted: readonly ParticipantVisitor[] };

/** The visitors whose marks must be compared: some of them now, and the rest in the next change. */
function uncountedVisitors(planned: readonly PlannedParticipant[]) {
  const all = planned.flatMap(({ record: { participantId }, uncounted }) =>
    uncounted.map(({ kind, visitorId, isPresent }) => ({ visitor: { kind, visitorId, participantId }, isPresent })),
  );
  const names = distinct(all.map(({ visitor }) => visitor));
  const [now, later] = [names.slice(0, newVisitorsPerChange), names.slice(newVisitorsPerChange)];
  const of = (present: boolean) =>
    distinct(
      among(
        all.filter(({ isPresent }) => isPresent === present).map(({ visitor }) => visitor),
        now,
      ),
    );
  const newVisitors = of(true);
  const goneVisitors = without(of(false), newVisitors).map(({ kind, visitorId }) => ({ kind, visitorId }));
  return { now, later, newVisitors, goneVisitors };
}

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
export function stateAfter(state: SessionState, change: SessionChange): SessionState {
  const { session, participants } = change;
  return {
    ...state,
    session: { ...session, version: session.version + 1 },
    participants: [...state.participants.filter((old) => !isReplaced(old, change)), ...participants],
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

/** How many of the visitors come before the first one that is among the others. */
function numberBefore(others: readonly Visitor[], visitors: readonly Visitor[]): number {
  const first = without(visitors, without(visitors, others))[0];
  return first ? visitors.indexOf(first) : visitors.length;
}

function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function latest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
