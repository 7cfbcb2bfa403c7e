import { type ClientEvent, isClientEvent, type SessionEvent } from '../contracts/session-events.ts';
import { type SessionKey, type Visitor, visitorOf, without } from '../domain/participant-record.ts';
import { earliest } from '../domain/session-drift.ts';
import type { AssertTimeLeft } from '../time-left.ts';
import type { InsightStore } from './ports.ts';

/** The session that is searched, and how long. */
export type SessionSearch = {
  readonly insights: Pick<InsightStore, 'eventsOf'>;
  readonly key: SessionKey;
  readonly assertTimeLeft: AssertTimeLeft;
};

/** Reads all events of the session as long as time is left. */
async function* allEvents({ insights, key, assertTimeLeft }: SessionSearch): AsyncGenerator<SessionEvent> {
  for await (const event of insights.eventsOf(key)) {
    assertTimeLeft();
    yield event;
  }
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

/** Those of the visitors whom a join of the session names that was not taken back. */
export async function presentAmong(
  search: SessionSearch,
  retracted: ReadonlySet<string>,
  visitors: readonly Visitor[],
): Promise<Visitor[]> {
  if (visitors.length === 0) return [];
  let missing = visitors;
  for await (const event of allEvents(search)) {
    if (event.type !== 'room.client.joined' || retracted.has(event.id)) continue;
    missing = without(missing, [visitorOf(event)]);
    if (missing.length === 0) break;
  }
  return without(visitors, missing);
}
