import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '../contracts/session-events.ts';
import { newVisitorsPerChange } from './change-size.ts';
import { type RoomRecord, type SessionRecord, unknownRoom } from './insight-records.ts';
import {
  countedVisitors,
  distinct,
  type ParticipantRecord,
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
  readonly facts: readonly SessionEvent[];
};

/** A visitor, and the participant as whom the visitor came. */
export type VisitorOfParticipant = Visitor & { readonly participantId: string };

/** Which of some visitors the session and the room have marked as counted. */
export type MarkedVisitors = { readonly session: readonly Visitor[]; readonly room: readonly Visitor[] };

/** The earliest and the latest start of a room's other sessions. */
export type OtherStarts = { readonly first: string | null; readonly last: string | null };

/** The stored data of the room that a change of one of its sessions depends on. */
export type RoomState = {
  readonly room: RoomRecord | undefined;
  readonly counted: MarkedVisitors;
  readonly otherStarts: OtherStarts;
};

/** How a session's stored rows differ from its facts: the values that the rows must get. */
export type SessionDrift = {
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly participants: readonly ParticipantRecord[];
  /** Visitors that the participants' rows do not include yet. The session and the room may have counted some of them. */
  readonly newVisitors: readonly VisitorOfParticipant[];
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
  readonly sessionVisitors: readonly VisitorOfParticipant[];
  readonly roomVisitors: readonly Visitor[];
  readonly movedStart: { readonly from: string | null; readonly to: string } | null;
};

/** Compares the stored rows with the facts. Returns null if the session has neither facts nor a stored start. */
export function findDrift(
  key: SessionKey,
  { session, participants: stored, facts }: SessionState,
): SessionDrift | null {
  const projected = projectSession(facts);
  const startedAt = projected.observedStartAt ?? earliest(session?.startedAt ?? null, projected.earliestAt);
  if (startedAt === null) return null;
  const planned = projected.participants.map((participant) => {
    const record = participantRecord(key, participant, projected.endedAt);
    const known = stored.find(({ participantId }) => participantId === record.participantId);
    const visitors = visitorsOf(participant);
    return { record, known, visitors, uncounted: known ? uncounted(visitors, known.counted) : visitors };
  });
  const allUncounted = distinct(
    planned.flatMap(({ record: { participantId }, uncounted }) =>
      uncounted.map((visitor) => ({ ...visitor, participantId })),
    ),
  );
  const newVisitors = allUncounted.slice(0, newVisitorsPerChange);
  const later = allUncounted.slice(newVisitorsPerChange); // the next change counts them
  const participants = planned
    .map(({ record, known, visitors, uncounted }) => {
      const left = uncounted.length - numberBefore(later, uncounted);
      return { known, record: { ...record, counted: countedVisitors(visitors.slice(0, visitors.length - left)) } };
    })
    .flatMap(({ record, known }) => (isDeepStrictEqual(known, record) ? [] : [record]));
  const { endedAt } = projected;
  const isStartMoved = session?.startedAt !== startedAt;
  const isNone = participants.length === 0 && !isStartMoved && session?.endedAt === endedAt;
  return { startedAt, endedAt, participants, newVisitors, isStartMoved, isPartial: later.length > 0, isNone };
}

/** Computes the change that makes the stored rows, including the room's totals, agree with the facts. */
export function changeOf(
  key: SessionKey,
  { session, participants: stored }: SessionState,
  drift: SessionDrift,
  { room = unknownRoom(key), counted, otherStarts }: RoomState,
): SessionChange {
  const sessionVisitors = without(drift.newVisitors, counted.session);
  const roomVisitors = without(drift.newVisitors, counted.room);
  const added = minus(usageOf(drift.participants), usageOf(stored.filter((old) => isReplaced(old, drift))));
  const changedRoom: RoomRecord = {
    ...room,
    sessions: room.sessions + (session ? 0 : 1),
    usage: plus(room.usage, added),
    visitors: plus(room.visitors, countByKind(roomVisitors)),
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
      visitors: plus(session?.visitors ?? noVisitors, countByKind(sessionVisitors)),
      version: session?.version ?? 0,
    },
    // A moved start must also raise the room's version: changes of other sessions rely on it when they read the starts.
    room: drift.isStartMoved || !isDeepStrictEqual(changedRoom, room) ? changedRoom : null,
    participants: drift.participants,
    sessionVisitors,
    roomVisitors,
    movedStart: drift.isStartMoved ? { from: session?.startedAt ?? null, to: drift.startedAt } : null,
  };
}

/** The state after a change is committed, if nobody else has changed the session. */
export function stateAfter(state: SessionState, { session, participants }: SessionChange): SessionState {
  const others = state.participants.filter(({ participantId }) =>
    participants.every((record) => record.participantId !== participantId),
  );
  return {
    ...state,
    session: { ...session, version: session.version + 1 },
    participants: [...others, ...participants],
  };
}

function isReplaced({ participantId }: ParticipantRecord, { participants }: SessionDrift): boolean {
  return participants.some((record) => record.participantId === participantId);
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

function latest(one: string | null, other: string): string {
  return one !== null && one > other ? one : other;
}
