import { type ClientEvent, type ClientJoined, isClientEvent, type SessionEvent } from '../contracts/session-events.ts';
import {
  among,
  distinct,
  nameOf,
  type SessionsWithId,
  type Visitor,
  visitorOf,
  without,
} from '../domain/participant-record.ts';
import { earliest, type SessionState } from '../domain/session-drift.ts';
import { retractedEventIds } from '../domain/session-projection.ts';
import type { AssertTimeLeft } from '../time-left.ts';
import type { InsightStore } from './ports.ts';

/** What is searched, and how long. */
export type SessionSearch = {
  readonly insights: Pick<InsightStore, 'eventsOf'>;
  readonly key: SessionsWithId;
  readonly assertTimeLeft: AssertTimeLeft;
};

/** Reads all events of the session as long as time is left. */
async function* allEvents({ insights, key, assertTimeLeft }: SessionSearch): AsyncGenerator<SessionEvent> {
  for await (const event of insights.eventsOf(key)) {
    assertTimeLeft();
    yield event;
  }
}

/** Finds the rooms that have an event with one of these ids. */
export async function roomsWith(search: SessionSearch, ids: ReadonlySet<string>): Promise<string[]> {
  const names = new Set<string>();
  for await (const { id, data } of allEvents(search)) if (ids.has(id)) names.add(data.roomName);
  return [...names];
}

/** Finds the events of participants with one of these ids. */
export async function* clientEventsWith(search: SessionSearch, ids: ReadonlySet<string>): AsyncGenerator<ClientEvent> {
  for await (const event of allEvents(search)) if (ids.has(event.id) && isClientEvent(event)) yield event;
}

/** The time of the earliest event of the session without those that were taken back. */
export async function earliestTime(search: SessionSearch, retracted: ReadonlySet<string>): Promise<string | null> {
  let time: string | null = null;
  for await (const { id, createdAt } of allEvents(search)) if (!retracted.has(id)) time = earliest(time, createdAt);
  return time;
}

/** Tells which visitors the session's joins still name. */
export type Presence = ReturnType<typeof presenceIn>;

/**
 * Searches the session once for all visitors whose joins were taken back, and remembers whom it found as long as no other
 * worker changes the session.
 */
export function presenceIn(search: SessionSearch) {
  let last: { readonly version: number; readonly asked: readonly Visitor[]; readonly present: readonly Visitor[] } = {
    ...{ version: -1, asked: [], present: [] },
  };
  return {
    /** Those of the visitors whom a join of the session names that was not taken back. */
    async among(state: SessionState, visitors: readonly Visitor[]): Promise<Visitor[]> {
      const version = versionOf(state);
      if (visitors.length === 0) return [];
      if (last.version !== version || without(visitors, last.asked).length > 0) {
        const retracted = new Set(retractedEventIds(state.facts));
        const asked = distinct([...visitors, ...visitorsTakenBack(state, retracted)]);
        last = { version, asked, present: await presentAmong(search, retracted, asked) };
      }
      return among(visitors, last.present);
    },

    /** Must be told of each own commit. */
    committed(state: SessionState): void {
      if (last.version === versionOf(state)) last = { ...last, version: last.version + 1 };
    },
  };
}

function versionOf({ session }: SessionState): number {
  return session?.version ?? 0;
}

function visitorsTakenBack({ facts, atHand = [] }: SessionState, retracted: ReadonlySet<string>): Visitor[] {
  const isJoin = (fact: (typeof facts)[number]): fact is ClientJoined => fact.type === 'room.client.joined';
  return [...facts, ...atHand]
    .filter(isJoin)
    .filter(({ id }) => retracted.has(id))
    .map(visitorOf);
}

async function presentAmong(
  search: SessionSearch,
  retracted: ReadonlySet<string>,
  visitors: readonly Visitor[],
): Promise<Visitor[]> {
  const missing = new Set(visitors.map(nameOf));
  for await (const event of allEvents(search)) {
    if (event.type !== 'room.client.joined' || retracted.has(event.id)) continue;
    missing.delete(nameOf(visitorOf(event)));
    if (missing.size === 0) break;
  }
  return visitors.filter((visitor) => !missing.has(nameOf(visitor)));
}
