import type { ClientEvent, ClientJoined, ClientRated, SessionEvent } from '../contracts/session-events.ts';
import { type ConnectionKind, kindOf } from './connection-kind.ts';

/** The clocks of a platform's servers differ, so an event that belongs to a join may have a time this much before it. */
export const clockToleranceMs = 5_000;

/** One connection of a participant. */
export type Connection = {
  readonly kind: ConnectionKind;
  readonly joined: ClientJoined;
  /** Null while the connection is open. */
  readonly leftAt: string | null;
  /** True if a leave ended the connection. Otherwise its end is inferred, or it is open. */
  readonly hasLeave: boolean;
};

/** What a participant depends on besides its own events: the session's end, and the events that were taken back. */
export type SessionFrame = { readonly endedAt: string | null; readonly retractedIds: ReadonlySet<string> };

/** One participant's stay in a session: connections in the order of their joins, and ratings in the order of time. */
export type Stay = { readonly connections: readonly Connection[]; readonly ratings: readonly ClientRated[] };

/**
 * Derives a participant's stay from those of its events that count, by the rules of docs/insights.md. Their order does not matter.
 * `cutAt` is the time of the last join or leave that counts, if there are more.
 */
export function stayOf(
  events: readonly ClientEvent[],
  { endedAt, retractedIds }: SessionFrame,
  cutAt: string | undefined,
): Stay {
  const kept = events.filter(({ id }) => !retractedIds.has(id)).toSorted(byTime);
  return {
    connections: connectionsOf(kept, endedAt, cutAt),
    ratings: kept.filter((event) => event.type === 'room.client.rated'),
  };
}

/**
 * The connections of one participant. A connection without a leave lasts as long as the session, or until the last event that
 * counts if there are more: its leave may be among the others.
 */
function connectionsOf(
  events: readonly ClientEvent[],
  sessionEndedAt: string | null,
  cutAt: string | undefined,
): Connection[] {
  const connection = (joined: ClientJoined, leftAt: string | null, hasLeave: boolean): Connection => ({
    kind: kindOf(joined),
    joined,
    leftAt: leftAt && latest(leftAt, joined.createdAt),
    hasLeave,
  });
  const { ended, open } = pairJoinsWithLeaves(events);
  return [
    ...ended.map(([joined, left]) => connection(joined, left.createdAt, true)),
    ...open.map((joined) => connection(joined, cutAt ?? sessionEndedAt, false)),
  ].toSorted((one, other) => byTime(one.joined, other.joined));
}

/**
 * Each leave ends the connection that has been open the longest. If some leaves find no open connection and some connections
 * stay open, the clocks probably differ: those leaves are moved five seconds later, and all events are paired again.
 */
function pairJoinsWithLeaves(
  events: readonly ClientEvent[],
  delayed: ReadonlySet<ClientEvent> = new Set(),
): { readonly ended: readonly [ClientJoined, ClientEvent][]; readonly open: readonly ClientJoined[] } {
  const at = (event: ClientEvent) => Date.parse(event.createdAt) + (delayed.has(event) ? clockToleranceMs : 0);
  const open: ClientJoined[] = [];
  const ended: [ClientJoined, ClientEvent][] = [];
  const strayLeaves: ClientEvent[] = [];
  for (const event of events.toSorted((one, other) => at(one) - at(other) || byKindAndId(one, other))) {
    if (event.type === 'room.client.joined') open.push(event);
    if (event.type !== 'room.client.left') continue;
    const longestOpen = open.shift();
    if (longestOpen) ended.push([longestOpen, event]);
    else strayLeaves.push(event);
  }
  const mayPairMore = delayed.size === 0 && strayLeaves.length > 0 && open.length > 0;
  return mayPairMore ? pairJoinsWithLeaves(events, new Set(strayLeaves)) : { ended, open };
}

/** Orders events by time, then by type (a join before a leave), then by id. So the order of arrival does not matter. */
export function byTime(one: SessionEvent, other: SessionEvent): number {
  return compare(one.createdAt, other.createdAt) || byKindAndId(one, other);
}

function byKindAndId(one: SessionEvent, other: SessionEvent): number {
  return compare(one.type, other.type) || compare(one.id, other.id);
}

/** Orders texts by their UTF-16 units, which for times is the order of time. */
export function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}
