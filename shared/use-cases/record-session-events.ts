import { chunk } from '../chunk.ts';
import { isClientEvent, type SessionEvent } from '../contracts/session-events.ts';
import { participantsPerChange } from '../domain/change-size.ts';
import type { SessionKey } from '../domain/participant-record.ts';
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
  events: readonly SessionEvent[],
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const sessionUpdate = { ...deps, key: sessionOf(first), assertTimeLeft };
  await storeFacts(sessionUpdate, events);
  await updateSessionAndNamedParticipants(sessionUpdate, events);
  await updateParticipantsDisconnectedByEnd(sessionUpdate, events);
}

function sessionOf({ organizationId, data: { roomName, roomSessionId } }: SessionEvent): SessionKey {
  return { organizationId, roomName, roomSessionId };
}

/** Must run first: a stored event is not lost, and every worker that later updates its participant reads it. */
async function storeFacts({ facts }: SessionUpdate, events: readonly SessionEvent[]): Promise<void> {
  await Promise.all(events.map((event) => facts.keep(event)));
}

/** Reads and writes only the participants that the events name. So the cost of an event does not grow with the session. */
async function updateSessionAndNamedParticipants(
  sessionUpdate: SessionUpdate,
  events: readonly SessionEvent[],
): Promise<void> {
  const participantIds = [...new Set(events.filter(isClientEvent).map(({ data }) => data.participantId))];
  // Other workers may have read the facts before these events were stored. A higher version makes their commits fail. A
  // session's end that is already committed needs no further version: its commit has raised the version.
  const mustRaiseVersion = !events.every(isSessionEnd);
  const groups = chunk(participantIds, participantsPerChange);
  // Events that name no participant can still change the session's start or end.
  const updates = groups.length > 0 ? groups : [[]];
  for (const ids of updates) await commitUntilConsistent(sessionUpdate, ids, mustRaiseVersion);
}

/**
 * Must run after the session's end is committed. A concurrent join either committed before the end, and the search below
 * finds it, or loses the race and reads the end when it retries.
 */
async function updateParticipantsDisconnectedByEnd(
  sessionUpdate: SessionUpdate,
  events: readonly SessionEvent[],
): Promise<void> {
  const lastEnd = events
    .filter(isSessionEnd)
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1);
  if (lastEnd === undefined) return;
  const participants = await sessionUpdate.insights.listParticipantsToEnd(sessionUpdate.key, lastEnd);
  const participantIds = participants.map(({ participantId }) => participantId);
  for (const ids of chunk(participantIds, participantsPerChange))
    await commitUntilConsistent(sessionUpdate, ids, false);
}

function isSessionEnd({ type }: SessionEvent): boolean {
  return type === 'room.session.ended';
}

/** Commits changes until the rows of the session, its room and these participants agree with the facts. */
async function commitUntilConsistent(
  sessionUpdate: SessionUpdate,
  participantIds: readonly string[],
  mustRaiseVersion: boolean,
): Promise<void> {
  let state: SessionState | undefined;
  const attempt = async (): Promise<Attempt> => {
    const known = state ?? (await sessionUpdate.insights.readSession(sessionUpdate.key, participantIds));
    const plan = await planChange(sessionUpdate, known, mustRaiseVersion);
    if (!plan) return 'done';
    const outcome = await sessionUpdate.insights.commit(plan.change);
    // If only the room has changed, the state of the session is still valid. After its own change, the worker knows the state.
    if (outcome === 'session-changed') state = undefined;
    else state = outcome === 'committed' ? stateAfter(known, plan.change) : known;
    if (outcome !== 'committed') return 'lost-race';
    return plan.isPartial ? 'more-to-do' : 'done';
  };
  await untilCommitted(attempt, sessionUpdate);
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
    insights.readCounted(key, drift.newVisitors),
    drift.isStartMoved ? insights.readOtherStarts(key) : { first: null, last: null },
  ]);
  return { room, counted, otherStarts };
}
