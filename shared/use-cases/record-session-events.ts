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
} from '../domain/session-change.ts';
import { closingOf, type FactRetention, refuseClosed } from '../domain/session-closing.ts';
import type { Pause } from '../retry.ts';
import { type AssertTimeLeft, noTimeLimit } from '../time-left.ts';
import type { FactStore, InsightStore } from './ports.ts';
import { type Attempt, untilCommitted } from './until-committed.ts';

/** The stores and settings that recording needs. */
export type RecordSessionDependencies = FactRetention & {
  readonly facts: FactStore;
  readonly insights: InsightStore;
  readonly pause?: Pause;
};

/** One session that is being recorded. */
type Work = RecordSessionDependencies & { readonly key: SessionKey; readonly assertTimeLeft: AssertTimeLeft };

/**
 * Records events that all belong to one session. It may be repeated, and several workers may do it at once: when it
 * returns, the insights agree with the facts, including these events. If it throws, what was committed stays, and the
 * next call continues from there. Throws `UnreadableMessage` if the session is closed.
 */
export async function recordSessionEvents(
  deps: RecordSessionDependencies,
  events: readonly SessionEvent[],
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const work = { ...deps, key: sessionOf(first), assertTimeLeft };
  await keepAsFacts(work, events);
  await updateSessionAndNamedParticipants(work, events);
  await updateParticipantsWhomTheEndDisconnects(work, events);
}

function sessionOf({ organizationId, data: { roomName, roomSessionId } }: SessionEvent): SessionKey {
  return { organizationId, roomName, roomSessionId };
}

/** Must come first: from here on no event is lost, and every worker that updates one of its participants sees it. */
async function keepAsFacts({ facts }: Work, events: readonly SessionEvent[]): Promise<void> {
  await Promise.all(events.map((event) => facts.keep(event)));
}

/** One participant's row depends on that participant's facts only, so an event costs the same in a session of any size. */
async function updateSessionAndNamedParticipants(work: Work, events: readonly SessionEvent[]): Promise<void> {
  const participantIds = [...new Set(events.filter(isClientEvent).map(({ data }) => data.participantId))];
  // Other workers may have read the facts before these events were kept. A new version makes their commits fail. A
  // stored end needs none: it was committed after it was kept, so a worker that has not read it cannot commit.
  const mustMoveVersion = !events.every(isSessionEnd);
  const groups = chunk(participantIds, participantsPerChange);
  const atLeastOne = groups.length > 0 ? groups : [[]]; // events of the session itself may move its start or end
  for (const ids of atLeastOne) await update(work, ids, mustMoveVersion);
}

/**
 * Must come after the session's end is committed. A join that is recorded at the same time either committed before, and
 * is found here, or loses the race and sees the end when it reads again.
 */
async function updateParticipantsWhomTheEndDisconnects(work: Work, events: readonly SessionEvent[]): Promise<void> {
  const lastEnd = events
    .filter(isSessionEnd)
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1);
  if (lastEnd === undefined) return;
  const participants = await work.insights.listNotEndedBy(work.key, lastEnd);
  const participantIds = participants.map(({ participantId }) => participantId);
  for (const ids of chunk(participantIds, participantsPerChange)) await update(work, ids, false);
}

function isSessionEnd({ type }: SessionEvent): boolean {
  return type === 'room.session.ended';
}

/** Makes the rows of the session, its room and these participants agree with the facts. */
async function update(work: Work, participantIds: readonly string[], mustMoveVersion: boolean): Promise<void> {
  let state: SessionState | undefined;
  const attempt = async (): Promise<Attempt> => {
    state ??= await work.insights.readSession(work.key, participantIds);
    const plan = await planChange(work, state, mustMoveVersion);
    if (!plan) return 'done';
    const outcome = await work.insights.commit(plan.change);
    // If only the room has changed, what was read of the session is still good.
    if (outcome !== 'room-changed') state = undefined;
    if (outcome !== 'committed') return 'lost-race';
    return plan.isPartial ? 'more-to-do' : 'done';
  };
  await untilCommitted(attempt, work);
}

/** The transaction that makes the rows agree with the facts; undefined if none is needed. */
async function planChange(
  { insights, key, ...retention }: Work,
  state: SessionState,
  mustMoveVersion: boolean,
): Promise<{ readonly change: SessionChange; readonly isPartial: boolean } | undefined> {
  if (state.session) refuseClosed(state.session, retention);
  const drift = findDrift(key, state);
  if (!drift || (drift.isNone && !mustMoveVersion)) return undefined;
  const change = changeOf(key, state, drift, await readRoomState(insights, key, drift));
  const session = { ...change.session, ...closingOf(state.session, retention) };
  return { change: { ...change, session }, isPartial: drift.isPartial };
}

/** Reads the room first: marks and starts change only together with its version. */
async function readRoomState(insights: InsightStore, key: SessionKey, drift: SessionDrift): Promise<RoomState> {
  const room = await insights.readRoom(key);
  const [counted, otherStarts] = await Promise.all([
    insights.readCounted(key, drift.newVisitors),
    drift.isStartMoved ? insights.readOtherStarts(key) : { first: null, last: null },
  ]);
  return { room, counted, otherStarts };
}
