import { setTimeout } from 'node:timers/promises';
import { isClientEvent, type RoomCreated, type SessionEvent } from '../contracts/session-events.ts';
import { afterCreation, type RoomKey, type RoomRecord, unknownRoom } from '../domain/insight-records.ts';
import type { ParticipantRecord, SessionKey, Visitor } from '../domain/participant-record.ts';
import {
  type CountedVisitors,
  changeOf,
  findDrift,
  type OtherStarts,
  type RoomState,
  type SessionChange,
  type SessionDrift,
  type SessionState,
} from '../domain/session-change.ts';
import { closingOf, type FactRetention, refuseClosed } from '../domain/session-closing.ts';
import { ServiceUnavailable } from '../errors.ts';

/** The facts, as far as recording them goes. */
export type Facts = {
  /** Keeps an event; one that is kept already stays as it is. */
  keep(event: SessionEvent): Promise<void>;
};

/** What is stored of sessions and rooms. Everything is read strongly consistent. */
export type InsightStore = {
  /** The session's version is read before all else: what changes after that makes a commit under it fail. */
  readSession(key: SessionKey, participantIds: readonly string[]): Promise<SessionState>;
  readCounted(key: SessionKey, visitors: readonly Visitor[]): Promise<CountedVisitors>;
  readOtherStarts(key: SessionKey): Promise<OtherStarts>;
  readRoom(key: RoomKey): Promise<RoomRecord | undefined>;
  /** Those whom the session's end concerns, and whose rows rest on no end or on one before this. */
  listNotEndedBy(key: SessionKey, endedAt: string): Promise<Pick<ParticipantRecord, 'participantId'>[]>;
  /** All of it or nothing; where it is nothing, somebody else has changed the session, or the room, since it was read. */
  commit(change: SessionChange): Promise<'committed' | 'session-changed' | 'room-changed'>;
  commitRoom(room: RoomRecord): Promise<boolean>;
};

/** What recording works on. */
export type RecordSessionDependencies = FactRetention & { readonly facts: Facts; readonly insights: InsightStore };

/** Throws where too little time is left for another attempt. */
type AssertTimeLeft = () => void;

/** One transaction takes 100 items: so many participants, and the visitors that they may bring. */
const participantsPerChange = 20;

/**
 * Records events, all of one session: the facts first, then what they change. May be repeated, or done by several at once:
 * it returns when the insights agree with the facts that these events are part of. Where it throws, what was committed
 * stays, and the next time goes on from there. Throws `UnreadableMessage` for a session that is closed.
 */
export async function recordSessionEvents(
  { facts, insights, ...retention }: RecordSessionDependencies,
  events: readonly SessionEvent[],
  assertTimeLeft: AssertTimeLeft = () => {},
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const { roomName, roomSessionId } = first.data;
  const key = { organizationId: first.organizationId, roomName, roomSessionId };
  await Promise.all(events.map((event) => facts.keep(event)));
  const participantIds = [...new Set(events.filter(isClientEvent).map(({ data }) => data.participantId))];
  const ends = events.filter(({ type }) => type === 'room.session.ended').map(({ createdAt }) => createdAt);
  const bringUpToDate = updater(insights, key, retention, assertTimeLeft);
  // An end that is stored already was committed after it was kept: nobody who has read less can commit any more.
  await bringUpToDate(participantIds, { movesVersion: ends.length < events.length });
  const endedAt = ends.toSorted().at(-1);
  if (endedAt === undefined) return;
  // After the session's own end is committed: whoever read the facts before it can no longer commit what it changes.
  const affected = await insights.listNotEndedBy(key, endedAt);
  const affectedIds = affected.map(({ participantId }) => participantId);
  if (affectedIds.length > 0) await bringUpToDate(affectedIds, { movesVersion: false });
}

/** Records that a room was created, or created again. */
export async function recordRoomCreated(
  { insights }: Pick<RecordSessionDependencies, 'insights'>,
  event: RoomCreated,
  assertTimeLeft: AssertTimeLeft = () => {},
): Promise<void> {
  const key = { organizationId: event.organizationId, roomName: event.data.roomName };
  await untilCommitted(async () => {
    const stored = await insights.readRoom(key);
    const room = afterCreation(stored ?? unknownRoom(key), event);
    if (room === stored) return 'done';
    return (await insights.commitRoom(room)) ? 'done' : 'lost-race';
  }, assertTimeLeft);
}

/** At least once, since the session's own times may have changed too. What one event costs does not depend on how many participants there are. */
function updater(insights: InsightStore, key: SessionKey, retention: FactRetention, assertTimeLeft: AssertTimeLeft) {
  return async (
    participantIds: readonly string[],
    { movesVersion }: { readonly movesVersion: boolean },
  ): Promise<void> => {
    let from = 0;
    do {
      const some = participantIds.slice(from, from + participantsPerChange);
      await untilCommitted(correction(insights, key, retention, some, movesVersion), assertTimeLeft);
      from += participantsPerChange;
    } while (from < participantIds.length);
  };
}

type Attempt = 'done' | 'lost-race' | 'more-to-do';

/**
 * What is read of the session stays good while others change nothing but the room, which one room's sessions share. With
 * `movesVersion` it is written even where nothing changes: others who have read the facts without these must read again.
 */
function correction(
  insights: InsightStore,
  key: SessionKey,
  retention: FactRetention,
  participantIds: readonly string[],
  movesVersion: boolean,
): () => Promise<Attempt> {
  let state: SessionState | undefined;
  return async () => {
    state ??= await insights.readSession(key, participantIds);
    if (state.session) refuseClosed(state.session, retention);
    const drift = findDrift(key, state);
    if (!drift || (drift.isNone && !movesVersion)) return 'done';
    const change = changeOf(key, state, drift, await readRoomState(insights, key, drift));
    const session = { ...change.session, ...closingOf(state.session, retention) };
    const outcome = await insights.commit({ ...change, session });
    if (outcome !== 'room-changed') state = undefined;
    if (outcome !== 'committed') return 'lost-race';
    return drift.isPartial ? 'more-to-do' : 'done';
  };
}

/** The room first: the rest is good under its version. */
async function readRoomState(insights: InsightStore, key: SessionKey, drift: SessionDrift): Promise<RoomState> {
  const room = await insights.readRoom(key);
  const [counted, otherStarts] = await Promise.all([
    insights.readCounted(key, drift.newVisitors),
    drift.isStartMoved ? insights.readOtherStarts(key) : { first: null, last: null },
  ]);
  return { room, counted, otherStarts };
}

const maxLostRaces = 30;
const firstPauseMs = 20;
const maxPauseMs = 600;

/** Those who work on one room at once take their turns here; behind a longer queue than that, the message comes again. */
async function untilCommitted(attempt: () => Promise<Attempt>, assertTimeLeft: AssertTimeLeft): Promise<void> {
  for (let lostRaces = 0; lostRaces < maxLostRaces; ) {
    assertTimeLeft();
    const outcome = await attempt();
    if (outcome === 'done') return;
    if (outcome === 'more-to-do') continue;
    await setTimeout(Math.random() * Math.min(firstPauseMs * 2 ** lostRaces, maxPauseMs));
    lostRaces++;
  }
  throw new ServiceUnavailable('Too many changes of one room at once: the message comes again.');
}
