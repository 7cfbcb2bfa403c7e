import { chunk, inChunks } from '../chunk.ts';
import { isClientEvent, isSessionEvent, type SessionEvent, type SessionFact } from '../contracts/session-events.ts';
import { participantsPerChange } from '../domain/change-size.ts';
import { among, type SessionKey, without } from '../domain/participant-record.ts';
import { changeOf, type RoomState, type SessionChange, stateAfter } from '../domain/session-change.ts';
import { closingOf, refuseClosed } from '../domain/session-closing.ts';
import { findDrift, type SessionDrift, type SessionState } from '../domain/session-drift.ts';
import type { Exceeded } from '../domain/session-limits.ts';
import { projectSession, retractedEventIds } from '../domain/session-projection.ts';
import type { Pause } from '../retry.ts';
import { type AssertTimeLeft, noTimeLimit } from '../time-left.ts';
import { forEachUnlessRefused } from './for-each-unless-refused.ts';
import type { FactStore, InsightStore } from './ports.ts';
import { clientEventsWith, earliestTime, type Presence, presenceIn, roomsWith } from './session-search.ts';
import { storeSessionFacts } from './store-session-facts.ts';
import { type Attempt, untilCommitted } from './until-committed.ts';

/** Events that were taken back and are handled with one search, if many of a session's events have the same id. */
const retractedPerSearch = 250;

/** What `recordSessionEvents` needs. */
export type RecordSessionDependencies = {
  readonly facts: FactStore;
  readonly insights: InsightStore;
  /** Days for which facts are kept, which decides when a session closes. Undefined: without limit. */
  readonly factRetentionDays?: number | undefined;
  readonly now?: () => Date;
  /** Told once for each change of a participant with more events than count. */
  readonly onLimitExceeded?: (exceeded: Exceeded) => void;
  readonly pause?: Pause;
};

/** The dependencies of one call, the session that its events belong to, and the events as they are stored. */
type SessionUpdate = RecordSessionDependencies & {
  readonly key: SessionKey;
  readonly assertTimeLeft: AssertTimeLeft;
  readonly recorded: readonly SessionFact[];
  readonly presence: Presence;
};

/** What a change makes agree with the facts, besides the session: participants, and the events that are being recorded. */
type ChangeScope = {
  readonly participantIds: readonly string[];
  readonly atHand: readonly SessionEvent[];
  /** The session's version is raised even if nothing else changes. */
  readonly mustRaiseVersion: boolean;
  /** The session's start is counted from all events of the session. */
  readonly isWhole: boolean;
};

/**
 * Records events that all belong to one session, or retractions that all name the same session id and no room. When it
 * returns, the insights agree with the facts, including these events. It is safe to repeat and to run concurrently. If it
 * throws, committed changes remain, and the next call continues from there. Throws `UnreadableMessage` if a session is closed,
 * or has too many retractions for another one.
 */
export async function recordSessionEvents(
  deps: RecordSessionDependencies,
  events: readonly SessionFact[],
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const { organizationId, data } = first;
  const session = { organizationId, roomSessionId: data.roomSessionId };
  const recorded = await storeSessionFacts(deps.facts, session, events);
  // After the facts are stored: whoever stores an event of another room later also reads the retraction.
  const rooms =
    data.roomName === undefined
      ? await roomsWith({ ...deps, key: session, assertTimeLeft }, new Set(retractedEventIds(recorded)))
      : [data.roomName];
  await forEachUnlessRefused(rooms, async (roomName) => {
    const search = { ...deps, assertTimeLeft, key: { ...session, roomName } };
    const sessionUpdate = { ...search, recorded, presence: presenceIn(search) };
    const endedAt = await updateSessionAndNamedParticipants(sessionUpdate);
    await updateParticipantsDisconnectedByEnd(sessionUpdate, events, endedAt);
  });
}

/**
 * Reads and writes only the participants that the events name, so the cost of an event does not grow with the session. A
 * retraction reads the whole session, because it does not tell whose event it takes back. Returns the session's end.
 */
async function updateSessionAndNamedParticipants(sessionUpdate: SessionUpdate): Promise<string | null> {
  const { recorded } = sessionUpdate;
  const retractedIds = new Set(retractedEventIds(recorded));
  const isWhole = retractedIds.size > 0;
  // Other workers may have read the facts before these events were stored. A higher version makes their commits fail. A
  // session's end that is already committed needs no further version: its commit has raised the version.
  const mustRaiseVersion = !recorded.every(isSessionEnd);
  const named = namedBy(sessionUpdate, recorded.filter(isSessionEvent));
  let endedAt = await updateParticipants(sessionUpdate, { ...named, mustRaiseVersion, isWhole });
  if (!isWhole) return endedAt;
  for await (const retracted of inChunks(clientEventsWith(sessionUpdate, retractedIds), retractedPerSearch)) {
    const scope = { ...namedBy(sessionUpdate, retracted), mustRaiseVersion: false, isWhole: false };
    endedAt = await updateParticipants(sessionUpdate, scope);
  }
  return endedAt;
}

/** The participants that the events name. A fact with the identity of an event can belong to the session of another room. */
function namedBy({ key }: SessionUpdate, events: readonly SessionEvent[]) {
  const participantIds = [...new Set(events.filter(isClientEvent).map(({ data }) => data.participantId))];
  return { participantIds, atHand: events.filter(({ data }) => data.roomName === key.roomName) };
}

/**
 * Updates the participants in groups. A participant with many facts is left out of its group and follows alone, so that the
 * memory never holds the facts of two such participants. Returns the session's end.
 */
async function updateParticipants(
  sessionUpdate: SessionUpdate,
  { participantIds, isWhole, ...scope }: ChangeScope,
): Promise<string | null> {
  const groups = chunk(participantIds, participantsPerChange);
  let endedAt: string | null = null;
  // Events that name no participant can still change the session's start or end.
  for (const [index, ids] of (groups.length > 0 ? groups : [[]]).entries()) {
    const group = { ...scope, participantIds: ids, isWhole: isWhole && index === 0 };
    const committed = await commitUntilConsistent(sessionUpdate, group);
    endedAt = committed.endedAt;
    for (const id of committed.large) {
      const alone = { ...scope, participantIds: [id], isWhole: false };
      endedAt = (await commitUntilConsistent(sessionUpdate, alone)).endedAt;
    }
  }
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
  const participantIds = await sessionUpdate.insights.listParticipantsToEnd(sessionUpdate.key, endedAt);
  if (participantIds.length === 0) return;
  await updateParticipants(sessionUpdate, { participantIds, atHand: [], mustRaiseVersion: false, isWhole: false });
}

function isSessionEnd({ type }: SessionFact): boolean {
  return type === 'room.session.ended';
}

/**
 * Commits changes until the rows of the session, its room and these participants agree with the facts. Returns the session's
 * end, and the participants that were left out.
 */
async function commitUntilConsistent(
  sessionUpdate: SessionUpdate,
  scope: ChangeScope,
): Promise<{ readonly endedAt: string | null; readonly large: readonly string[] }> {
  let state: StateRead | undefined;
  let last: StateRead | undefined;
  const attempt = async (): Promise<Attempt> => {
    const known = state ?? (await readState(sessionUpdate, scope));
    last = known;
    const plan = await planChange(sessionUpdate, known, scope.mustRaiseVersion);
    if (!plan) return 'done';
    const planned = { ...known, ...plan.state };
    const outcome = await sessionUpdate.insights.commit(plan.change);
    // If only the room has changed, the state of the session is still valid. After its own change, the worker knows the state.
    if (outcome === 'committed') sessionUpdate.presence.committed(known);
    if (outcome === 'session-changed') state = undefined;
    else state = outcome === 'committed' ? { ...planned, ...stateAfter(planned, plan.change, plan.drift) } : planned;
    if (outcome !== 'committed') return 'lost-race';
    return plan.drift.isPartial ? 'more-to-do' : 'done';
  };
  await untilCommitted(attempt, sessionUpdate);
  for (const exceeded of last?.exceeded ?? []) sessionUpdate.onLimitExceeded?.(exceeded);
  return { endedAt: last ? projectSession(last.facts).endedAt : null, large: last?.large ?? [] };
}

type StateRead = Awaited<ReturnType<InsightStore['readSession']>>;

/** Reads the session's version before its facts, so that a commit fails if a fact was recorded in the meantime. */
async function readState(
  sessionUpdate: SessionUpdate,
  { participantIds, atHand, isWhole }: ChangeScope,
): Promise<StateRead> {
  const { insights, key, recorded } = sessionUpdate;
  const state = { ...(await insights.readSession(key, participantIds)), atHand, recorded };
  return isWhole ? { ...state, earliestAt: await earliestTime(sessionUpdate, retractedIn(state)) } : state;
}

type Plan = { readonly state: SessionState; readonly change: SessionChange; readonly drift: SessionDrift };

/** Returns the change that makes the rows agree with the facts, or undefined if no change is needed. */
async function planChange(
  sessionUpdate: SessionUpdate,
  known: SessionState,
  mustRaiseVersion: boolean,
): Promise<Plan | undefined> {
  const { key, factRetentionDays, now = () => new Date() } = sessionUpdate;
  if (known.session) refuseClosed(known.session, now());
  const { state, drift } = await driftOf(sessionUpdate, known);
  if (!drift || (drift.isNone && !mustRaiseVersion)) return undefined;
  const change = changeOf(key, state, drift, await readRoomState(sessionUpdate, state, drift));
  const session = { ...change.session, ...closingOf(state.session, factRetentionDays, now()) };
  return { state, change: { ...change, session }, drift };
}

/**
 * Compares the stored rows with the facts. After a worker has died, all visitors of its participants must be compared. Then their
 * marks are read at once, and only wrong ones remain: a transaction for each thirty visitors would take longer than a worker
 * has. The marks of a session change only together with its version.
 */
async function driftOf({ insights, key, recorded }: SessionUpdate, known: SessionState) {
  const drift = findDrift(key, known);
  const mayBeSettled = drift?.isPartial && !known.settled && drift.toCompare.length > recorded.length;
  if (!mayBeSettled) return { state: known, drift };
  const { session: marked } = await insights.readCounted(key, drift.toCompare);
  const present = drift.toCompare.filter(({ isPresent }) => isPresent);
  const settled = [...among(present, marked), ...without(without(drift.toCompare, present), marked)];
  const state = { ...known, settled };
  return { state, drift: findDrift(key, state) };
}

/** Reads the room first. Marks and starts change only together with its version, so a later change makes the commit fail. */
async function readRoomState(
  sessionUpdate: SessionUpdate,
  state: SessionState,
  drift: SessionDrift,
): Promise<RoomState> {
  const { insights, key, presence } = sessionUpdate;
  const room = await insights.readRoom(key);
  const [counted, otherStarts] = await Promise.all([
    insights.readCounted(key, [...drift.newVisitors, ...drift.goneVisitors]),
    drift.isStartMoved ? insights.readOtherStarts(key) : { first: null, last: null },
  ]);
  const mayBeGone = among(drift.goneVisitors, counted.session);
  return { room, counted, stillPresent: await presence.among(state, mayBeGone), otherStarts };
}

function retractedIn({ facts }: SessionState): ReadonlySet<string> {
  return new Set(retractedEventIds(facts));
}
