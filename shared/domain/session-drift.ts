import { isDeepStrictEqual } from 'node:util';
import {
  type ClientEvent,
  type ClientJoined,
  isClientEvent,
  isSessionEvent,
  type SessionEvent,
  type SessionFact,
} from '../contracts/session-events.ts';
import { newVisitorsPerChange } from './change-size.ts';
import type { SessionRecord } from './insight-records.ts';
import {
  among,
  changedSince,
  countedVisitors,
  distinct,
  type Joins,
  type ParticipantRecord,
  type ParticipantVisitor,
  participantRecord,
  type SessionKey,
  uncounted,
  type Visitor,
  visitorsOf,
  without,
} from './participant-record.ts';
import type { Exceeded } from './session-limits.ts';
import { type ProjectedParticipant, projectSession, type RoomFact, retractedEventIds } from './session-projection.ts';

/** The stored rows of a session and some of its participants, and the facts that determine them. */
export type SessionState = {
  readonly session: SessionRecord | undefined;
  readonly participants: readonly ParticipantRecord[];
  /** The facts that count. Each of the participants is complete. */
  readonly facts: readonly RoomFact[];
  /** Of the participants, those with more events than count. */
  readonly exceeded?: readonly Exceeded[];
  /** The events that are being recorded or taken back. Not all of them count. */
  readonly atHand?: readonly SessionEvent[];
  /** The facts that are being recorded, of any participant. */
  readonly recorded?: readonly SessionFact[];
  /** Visitors whose marks earlier parts of this change have compared already. */
  readonly compared?: readonly Visitor[];
  /** Visitors whose marks already agree with the facts, if these marks were read. */
  readonly settled?: readonly Visitor[];
  /** The time of the session's earliest event that was not taken back, if all facts of the session were read. */
  readonly earliestAt?: string | null;
};

/** A visitor whose mark must be compared: it must be there if the visitor is present, and must not otherwise. */
export type ComparedVisitor = Visitor & { readonly isPresent: boolean };

/** A visitor, and the participant as whom the visitor came. */
export type VisitorOfParticipant = Visitor & { readonly participantId: string };

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
  /** All visitors whose marks must be compared, in this change or in the next ones, and whether a join names them. */
  readonly toCompare: readonly ComparedVisitor[];
  /** The session has no stored start, or a different one. */
  readonly isStartMoved: boolean;
  /** More visitors must be counted than fit into one transaction. Another change must follow. */
  readonly isPartial: boolean;
  /** The stored rows agree with the facts, so there is nothing to write. */
  readonly isNone: boolean;
};

/** Compares the stored rows with the facts. Returns null if there are neither facts nor a stored session. */
export function findDrift(key: SessionKey, state: SessionState): SessionDrift | null {
  const { session, participants: stored, facts } = state;
  if (!session && facts.length === 0) return null;
  const projected = projectSession(facts, state.exceeded);
  const named = projectSession([...facts.filter(({ type }) => type === 'fact.retracted'), ...(state.atHand ?? [])]);
  const earliestAt =
    state.earliestAt === undefined
      ? [projected.earliestAt, named.earliestAt].reduce(earliest, session?.startedAt ?? null)
      : state.earliestAt;
  const startedAt = projected.observedStartAt ?? earliestAt;
  const { endedAt } = projected;
  const planned = projected.participants.map((participant) => {
    const { participantId, isGone } = participant;
    const record = participantRecord(key, participant, endedAt);
    const known = stored.find((each) => each.participantId === participantId);
    const atHand = named.participants.find((each) => each.participantId === participantId);
    const namedVisitors = atHand ? visitorsOf(atHand) : [];
    return { record, known, isGone, ...visitorsToCount(state, participant, namedVisitors, known) };
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

/**
 * The visitors that the row of a participant includes, and those whose marks must be compared. Visitors whom the recorded facts
 * have changed come last: only they must be compared, unless an event was lost. If not all of the connections count, the row
 * includes no visitor, and only those at hand are compared. Otherwise each earlier join would push a counted visitor out of the row.
 */
function visitorsToCount(
  { exceeded = [], compared = [], recorded = [], settled = [] }: SessionState,
  participant: ProjectedParticipant,
  atHand: readonly ParticipantVisitor[],
  known: ParticipantRecord | undefined,
) {
  const all = visitorsOf(participant);
  const isOverLimit = exceeded.some(
    ({ participantId, limit }) => participantId === participant.participantId && limit === 'connections',
  );
  if (!isOverLimit) {
    const before = visitorsOf(joinsBefore(participant, recorded));
    const changed = changedSince(before, all);
    const ordered = [...without(all, changed), ...changed];
    const open = without(uncounted(ordered, known?.counted ?? countedVisitors([]), before), settled);
    return { visitors: [...without(ordered, open), ...open], uncounted: open };
  }
  const present = all.filter(({ isPresent }) => isPresent);
  return {
    visitors: [],
    uncounted: [...without(atHand, [...compared, ...present]), ...among(present, without(atHand, compared))],
  };
}

/** The joins of a participant as they were before these facts. */
function joinsBefore({ connections, retractedJoins }: ProjectedParticipant, facts: readonly SessionFact[]): Joins {
  const nameOf = ({ id, createdAt, data }: ClientEvent) => JSON.stringify([data.participantId, createdAt, id]);
  const names = new Set(facts.filter(isSessionEvent).filter(isClientEvent).map(nameOf));
  const ids = new Set(retractedEventIds(facts));
  const isOld = (joined: ClientJoined) => !names.has(nameOf(joined));
  const old = retractedJoins.filter(isOld);
  return {
    connections: [
      ...connections.filter(({ joined }) => isOld(joined)),
      ...old.filter(({ id }) => ids.has(id)).map((joined) => ({ joined })),
    ],
    retractedJoins: old.filter(({ id }) => !ids.has(id)),
  };
}

type PlannedParticipant = { readonly record: ParticipantRecord; readonly uncounted: readonly ParticipantVisitor[] };

/** The visitors whose marks must be compared: some of them now, and the rest in the next change. */
function uncountedVisitors(planned: readonly PlannedParticipant[]) {
  const all = planned.flatMap(({ record: { participantId }, uncounted }) =>
    uncounted.map(({ kind, visitorId, isPresent }) => ({ visitor: { kind, visitorId, participantId }, isPresent })),
  );
  const names = distinct(all.map(({ visitor }) => visitor));
  const [now, later] = [names.slice(0, newVisitorsPerChange), names.slice(newVisitorsPerChange)];
  const present = distinct(all.filter(({ isPresent }) => isPresent).map(({ visitor }) => visitor));
  const newVisitors = among(present, now);
  const goneVisitors = without(now, present).map(({ kind, visitorId }) => ({ kind, visitorId }));
  const toCompare = [
    ...present.map((visitor) => ({ ...visitor, isPresent: true })),
    ...without(names, present).map((visitor) => ({ ...visitor, isPresent: false })),
  ];
  return { now, later, newVisitors, goneVisitors, toCompare };
}

/** How many of the visitors come before the first one that is among the others. */
function numberBefore(others: readonly Visitor[], visitors: readonly Visitor[]): number {
  const first = without(visitors, without(visitors, others))[0];
  return first ? visitors.indexOf(first) : visitors.length;
}

/** The earlier of two times. Null is no time. */
export function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
