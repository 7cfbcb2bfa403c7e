import type {
  ClientEvent,
  ClientJoined,
  ClientRated,
  ClientUpdated,
  SessionEvent,
} from '../contracts/session-events.ts';
import { type ConnectionKind, kindOf } from './connection-kind.ts';

/** The clocks of a platform's servers differ, so an event that belongs to a join may have a time this much before it. */
export const clockToleranceMs = 5_000;

/** One connection of a participant. */
export type Connection = {
  readonly kind: ConnectionKind;
  readonly joined: ClientJoined;
  /** Null while the connection is open. */
  readonly leftAt: string | null;
  /** True if a leave ended the connection. Otherwise the session ended it, or a limit, or it is open. */
  readonly hasLeave: boolean;
  /** True if it ended without a leave of the platform's own word. */
  readonly missesLeave: boolean;
};

/** What a participant depends on besides its own events: the session's end, and the events that were taken back. */
export type SessionFrame = { readonly endedAt: string | null; readonly retractedIds: ReadonlySet<string> };

/** One participant's stay in a session: connections in the order of their joins, and other events in the order of time. */
export type Stay = {
  readonly connections: readonly Connection[];
  readonly ratings: readonly ClientRated[];
  readonly updates: readonly ClientUpdated[];
  /** Leaves of the platform's own word that ended no connection: their joins are missing. */
  readonly strayLeaves: readonly ClientEvent[];
  /** Inferred joins and leaves that do not count, because of what was observed. */
  readonly yielding: ReadonlySet<ClientEvent>;
};

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
  const late = joinsBesideObserved(kept);
  const { ended, open, strayLeaves, yielding } = pairJoinsWithLeaves(kept.filter((event) => !late.has(event)));
  const openUntil = cutAt ?? endedAt;
  const connections = [
    ...ended.map(({ joined, left }) => connectionOf(joined, left.createdAt, left)),
    ...open.map((joined) => connectionOf(joined, openUntil, undefined)),
  ].toSorted((one, other) => byTime(one.joined, other.joined));
  return {
    ...{ connections, strayLeaves, yielding: new Set([...late, ...yielding]) },
    ratings: kept.filter((event) => event.type === 'room.client.rated'),
    updates: kept.filter((event) => event.type === 'room.client.updated'),
  };
}

/**
 * A connection without a leave lasts as long as the session, or until the last event that counts if there are more: its leave may be
 * among the others.
 */
function connectionOf(joined: ClientJoined, endedAt: string | null, left: ClientEvent | undefined): Connection {
  return {
    kind: kindOf(joined),
    joined,
    leftAt: endedAt && latest(endedAt, joined.createdAt),
    hasLeave: left !== undefined,
    missesLeave: endedAt !== null && (left === undefined || left.inferred === true),
  };
}

/** Inferred joins that repeat an observed one: clocks differ, and two sources tell of one join. */
function joinsBesideObserved(events: readonly ClientEvent[]): Set<ClientEvent> {
  const joins = events.filter(({ type }) => type === 'room.client.joined');
  const guessed = joins.filter(({ inferred }) => inferred);
  if (guessed.length === 0) return new Set();
  const observed = joins.filter(({ inferred }) => !inferred).map(({ createdAt }) => Date.parse(createdAt));
  const isBeside = (time: number) => observed.some((other) => Math.abs(time - other) <= clockToleranceMs);
  return new Set(guessed.filter(({ createdAt }) => isBeside(Date.parse(createdAt))));
}

type Ended = { readonly joined: ClientJoined; left: ClientEvent };
type Pairs = Pick<Stay, 'strayLeaves' | 'yielding'> & {
  readonly ended: readonly Ended[];
  readonly open: readonly ClientJoined[];
};

/**
 * Each leave ends the connection that has been open the longest. If some leaves find no open connection and some connections
 * stay open, the clocks probably differ: those leaves are moved five seconds later, and all events are paired again.
 */
function pairJoinsWithLeaves(events: readonly ClientEvent[], delayed: ReadonlySet<ClientEvent> = new Set()): Pairs {
  const at = (event: ClientEvent) => Date.parse(event.createdAt) + (delayed.has(event) ? clockToleranceMs : 0);
  const open: ClientJoined[] = [];
  const ended: Ended[] = [];
  const guessed: Ended[] = []; // those of the ended that an inferred leave has ended
  const strayLeaves: ClientEvent[] = [];
  const yielding = new Set<ClientEvent>();
  for (const event of events.toSorted((one, other) => at(one) - at(other) || byKindAndId(one, other))) {
    if (event.type === 'room.client.joined') {
      // Who is there by the platform's word has not come again by a guess.
      if (event.inferred && open.some(({ inferred }) => !inferred)) yielding.add(event);
      else open.push(event);
    }
    if (event.type !== 'room.client.left') continue;
    const longestOpen = open.shift();
    const guess = longestOpen || event.inferred ? undefined : guessed.pop();
    if (longestOpen) {
      const pair = { joined: longestOpen, left: event };
      ended.push(pair);
      if (event.inferred) guessed.push(pair);
    } else if (guess) {
      yielding.add(guess.left);
      guess.left = event;
    } else if (event.inferred) yielding.add(event);
    else strayLeaves.push(event);
  }
  const mayPairMore = delayed.size === 0 && strayLeaves.length > 0 && open.length > 0;
  return mayPairMore ? pairJoinsWithLeaves(events, new Set(strayLeaves)) : { ended, open, strayLeaves, yielding };
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
