import { chunk } from '../chunk.ts';
import { isClientEvent, isSessionEvent, type SessionFact } from '../contracts/session-events.ts';
import { participantsPerChange } from '../domain/change-size.ts';
import { among, type SessionKey, type Visitor, visitorsOf } from '../domain/participant-record.ts';
import {
  changeOf,
  findDrift,
  type RoomState,
  type SessionChange,
  type SessionDrift,
  type SessionState,
  stateAfter,
} from '../domain/session-change.ts';
import { closingOf, refuseClosed } from '../domain/session-closing.ts';
import { projectSession, retractedEventIds } from '../domain/session-projection.ts';
import type { Pause } from '../retry.ts';
import { type AssertTimeLeft, noTimeLimit } from '../time-left.ts';
import type { FactStore, InsightStore } from './ports.ts';
import { type Attempt, untilCommitted } from './until-committed.ts';

/** What `recordSessionEvents` needs. */
export type RecordSessionDependencies = {
  readonly facts: FactStore;
  readonly insights: InsightStore;
  /** Days for which facts are kept, which decides when a session closes. Undefined: without limit. */
  readonly factRetentionDays?: number | undefined;
  readonly now?: () => Date;
  readonly pause?: Pause;
};

/** The dependencies of one call, and the session that its events belong to. */
type SessionUpdate = RecordSessionDependencies & { readonly key: SessionKey; readonly assertTimeLeft: AssertTimeLeft };

/**
 * Records events that all belong to one session. When it returns, the insights agree with the facts, including these
 * events. It is safe to repeat and to run concurrently. If it throws, committed changes remain, and the next call continues
 * from there. Throws `UnreadableMessage` if the session is closed.
 */
export async function recordSessionEvents(
  deps: RecordSessionDependencies,
  events: readonly SessionFact[],
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const sessionUpdate = { ...deps, key: sessionOf(first), assertTimeLeft };
  await storeFacts(sessionUpdate, events);
  const endedAt = await updateSessionAndNamedParticipants(sessionUpdate, events);
  await updateParticipantsDisconnectedByEnd(sessionUpdate, events, endedAt);
}

function sessionOf({ organizationId, data: { roomName, roomSessionId } }: SessionFact): SessionKey {
  return { organizationId, roomName, roomSessionId };
}

/** Must run first: a stored event is not lost, and every worker that later updates its participant reads it. */
async function storeFacts({ facts }: SessionUpdate, events: readonly SessionFact[]): Promise<void> {
  await Promise.all(events.map((event) => facts.keep(event)));
}

/**
 * Reads and writes only the participants that the events name, so the cost of an event does not grow with the session. Only a
 * retraction reads the whole session, because it does not tell whose event it takes back. Returns the session's end.
 */
async function updateSessionAndNamedParticipants(
  sessionUpdate: SessionUpdate,
  events: readonly SessionFact[],
): Promise<string | null> {
  const retractedIds = retractedEventIds(events);
  const isWhole = retractedIds.length > 0;
  const retracted = isWhole
    ? (await sessionUpdate.insights.readFacts(sessionUpdate.key)).filter(({ id }) => retractedIds.includes(id))
    : [];
  const named = [...events, ...retracted].filter(isSessionEvent).filter(isClientEvent);
  const participantIds = [...new Set(named.map(({ data }) => data.participantId))];
  // Other workers may have read the facts before these events were stored. A higher version makes their commits fail. A
  // session's end that is already committed needs no further version: its commit has raised the version.
  const mustRaiseVersion = !events.every(isSessionEnd);
  const groups = chunk(participantIds, participantsPerChange);
  // Events that name no participant can still change the session's start or end.
  const updates = groups.length > 0 ? groups : [[]];
  let endedAt: string | null = null;
  for (const ids of updates) endedAt = await commitUntilConsistent(sessionUpdate, ids, { mustRaiseVersion, isWhole });
  return endedAt;
}

/**
 * Must run after the session's end is committed. A concurrent join either committed before the end, and the search below
 * finds it, or loses the race and reads the end when it retries.
 */
async function updateParticipantsDisconnectedByEnd(
  sessionUpdate: SessionUpdate,
  events: readonly SessionFact[],
  endedAt: string | null,
): Promise<void> {
  const mayMoveEnd = events.some((event) => isSessionEnd(event) || event.type === 'fact.retracted');
  if (!mayMoveEnd) return;
  const participants = await sessionUpdate.insights.listParticipantsToEnd(sessionUpdate.key, endedAt);
  const participantIds = participants.map(({ participantId }) => participantId);
  for (const ids of chunk(participantIds, participantsPerChange))
    await commitUntilConsistent(sessionUpdate, ids, { mustRaiseVersion: false, isWhole: false });
}

function isSessionEnd({ type }: SessionFact): boolean {
  return type === 'room.session.ended';
}

/**
 * Commits changes until the rows of the session, its room and these participants agree with the facts. With `isWhole`, the
 * session's start is counted from all facts. Returns the session's end.
 */
async function commitUntilConsistent(
  sessionUpdate: SessionUpdate,
  participantIds: readonly string[],
  { mustRaiseVersion, isWhole }: { readonly mustRaiseVersion: boolean; readonly isWhole: boolean },
): Promise<string | null> {
  let state: SessionState | undefined;
  let endedAt: string | null = null;
  const attempt = async (): Promise<Attempt> => {
    const known = state ?? (await readState(sessionUpdate, participantIds, isWhole));
    const plan = await planChange(sessionUpdate, known, mustRaiseVersion);
    endedAt = projectSession(known.facts).endedAt;
    if (!plan) return 'done';
    const outcome = await sessionUpdate.insights.commit(plan.change);
    // If only the room has changed, the state of the session is still valid. After its own change, the worker knows the state.
    if (outcome === 'session-changed') state = undefined;
    else state = outcome === 'committed' ? stateAfter(known, plan.change) : known;
    if (outcome !== 'committed') return 'lost-race';
    return plan.isPartial ? 'more-to-do' : 'done';
  };
  await untilCommitted(attempt, sessionUpdate);
  return endedAt;
}

/** Reads the session's version before its facts, so that a commit fails if a fact was recorded in the meantime. */
async function readState(
  { insights, key }: SessionUpdate,
  participantIds: readonly string[],
  isWhole: boolean,
): Promise<SessionState> {
  const state = await insights.readSession(key, participantIds);
  return isWhole ? { ...state, earliestAt: projectSession(await insights.readFacts(key)).earliestAt } : state;
}

/** Returns the change that makes the rows agree with the facts, or undefined if no change is needed. */
async function planChange(
  { insights, key, factRetentionDays, now = () => new Date() }: SessionUpdate,
  state: SessionState,
  mustRaiseVersion: boolean,
): Promise<{ readonly change: SessionChange; readonly isPartial: boolean } | undefined> {
  if (state.session) refuseClosed(state.session, now());
  const drift = findDrift(key, state);
  if (!drift || (drift.isNone && !mustRaiseVersion)) return undefined;
  const change = changeOf(key, state, drift, await readRoomState(insights, key, drift));
  const session = { ...change.session, ...closingOf(state.session, factRetentionDays, now()) };
  return { change: { ...change, session }, isPartial: drift.isPartial };
}

/** Reads the room first. Marks and starts change only together with its version, so a later change makes the commit fail. */
async function readRoomState(insights: InsightStore, key: SessionKey, drift: SessionDrift): Promise<RoomState> {
  const room = await insights.readRoom(key);
  const [counted, otherStarts] = await Promise.all([
    insights.readCounted(key, [...drift.newVisitors, ...drift.goneVisitors]),
    drift.isStartMoved ? insights.readOtherStarts(key) : { first: null, last: null },
  ]);
  const mayBeGone = among(drift.goneVisitors, counted.session).length > 0;
  const stillPresent = mayBeGone ? presentVisitors(await insights.readFacts(key)) : [];
  return { room, counted, stillPresent, otherStarts };
}

/** The visitors of the joins that were not taken back. */
function presentVisitors(facts: readonly SessionFact[]): Visitor[] {
  return projectSession(facts).participants.flatMap((participant) =>
    visitorsOf(participant).filter(({ isPresent }) => isPresent),
  );
}
