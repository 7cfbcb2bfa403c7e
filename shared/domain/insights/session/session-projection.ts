import type {
  ClientEvent,
  ClientJoined,
  ClientRated,
  ClientUpdated,
  SessionEvent,
} from '#shared/contracts/insights/session-events.ts';
import { type ConnectionKind, kindOf } from '../connection-kind.ts';

/** The clocks of a platform's servers differ, so an event that belongs to a join may have a time this much before it. */
export const clockToleranceMs = 5_000;

/** One connection of a participant. */
export type Connection = {
  readonly kind: ConnectionKind;
  readonly joined: ClientJoined;
  /** Null while the connection is open. */
  readonly leftAt: string | null;
  /** True if a leave ended the connection. Otherwise a later join ended it, or the session, or a limit, or it is open. */
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
    ...ended.map(({ joined, by }) => connectionOf(joined, by.createdAt, by)),
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
function connectionOf(joined: ClientJoined, endedAt: string | null, by: JoinOrLeave | undefined): Connection {
  const hasLeave = by?.type === 'room.client.left';
  return {
    kind: kindOf(joined),
    joined,
    leftAt: endedAt && latest(endedAt, joined.createdAt),
    hasLeave,
    missesLeave: endedAt !== null && (!hasLeave || by.inferred === true),
  };
}

/** Inferred joins that repeat an observed one: clocks differ, and two sources tell of one join. */
function joinsBesideObserved(events: readonly ClientEvent[]): Set<ClientEvent> {
  const joins = events.filter((event) => event.type === 'room.client.joined');
  const guessed = joins.filter(({ inferred }) => inferred);
  if (guessed.length === 0) return new Set();
  const observed = joins.filter(({ inferred }) => !inferred);
  const timeOf = ({ createdAt }: ClientEvent) => Date.parse(createdAt);
  const repeats = (guess: ClientJoined) =>
    observed.some((other) => mayBeOfOne(guess, other) && Math.abs(timeOf(guess) - timeOf(other)) <= clockToleranceMs);
  return new Set(guessed.filter(repeats));
}

/** False if the platform's ids say that these are of two connections. */
function mayBeOfOne(one: JoinOrLeave, other: JoinOrLeave): boolean {
  const ids = [one.data.connectionId, other.data.connectionId];
  return ids.includes(undefined) || ids[0] === ids[1];
}

function areOfOne(one: JoinOrLeave, other: JoinOrLeave): boolean {
  return one.data.connectionId !== undefined && one.data.connectionId === other.data.connectionId;
}

type JoinOrLeave = Extract<ClientEvent, { type: 'room.client.joined' | 'room.client.left' }>;
/** A connection, and the leave that ended it. It was a later join if the platform allows one connection. */
type Ended = { readonly joined: ClientJoined; by: JoinOrLeave };
type Pairs = Pick<Stay, 'strayLeaves' | 'yielding'> & {
  readonly ended: readonly Ended[];
  readonly open: readonly ClientJoined[];
};

/**
 * Each leave ends its connection by the platform's id, or else the one that has been open the longest. If some leaves find no open
 * connection and some connections have no leave, the clocks probably differ: those leaves are moved five seconds later, and all events
 * are paired again.
 */
function pairJoinsWithLeaves(events: readonly ClientEvent[], delayed: ReadonlySet<ClientEvent> = new Set()): Pairs {
  const at = (event: ClientEvent) => Date.parse(event.createdAt) + (delayed.has(event) ? clockToleranceMs : 0);
  const pairing = new Pairing();
  for (const event of events.toSorted((one, other) => at(one) - at(other) || byKindAndId(one, other))) {
    if (event.type === 'room.client.joined') pairing.join(event);
    if (event.type === 'room.client.left') pairing.leave(event);
  }
  const mayPairMore = delayed.size === 0 && pairing.strayLeaves.length > 0 && pairing.hasUnended();
  return mayPairMore ? pairJoinsWithLeaves(events, new Set(pairing.strayLeaves)) : pairing;
}

/** Takes the joins and leaves of a participant in the order of time. */
class Pairing implements Pairs {
  readonly open: ClientJoined[] = [];
  readonly ended: Ended[] = [];
  readonly strayLeaves: ClientEvent[] = [];
  readonly yielding = new Set<ClientEvent>();
  /** Those of the ended of which an observed leave may say better when they ended. */
  readonly #guessed: Ended[] = [];

  join(joined: ClientJoined): void {
    // Who is there by the platform's word has not come again by a guess.
    if (joined.inferred && this.open.some((other) => !other.inferred && mayBeOfOne(other, joined))) {
      this.yielding.add(joined);
      return;
    }
    if (joined.data.exclusive) for (const other of this.open.splice(0)) this.#guess({ joined: other, by: joined });
    this.open.push(joined);
  }

  leave(left: Extract<JoinOrLeave, { type: 'room.client.left' }>): void {
    for (const isIts of [areOfOne, mayBeOfOne]) {
      const index = this.open.findIndex((joined) => isIts(joined, left));
      const [longestOpen] = index < 0 ? [] : this.open.splice(index, 1);
      if (longestOpen) {
        const pair = { joined: longestOpen, by: left };
        if (left.inferred) this.#guess(pair);
        else this.ended.push(pair);
        return;
      }
      const guess = left.inferred ? -1 : this.#guessed.findLastIndex(({ joined }) => isIts(joined, left));
      const [pair] = guess < 0 ? [] : this.#guessed.splice(guess, 1);
      if (pair) {
        if (pair.by.type === 'room.client.left') this.yielding.add(pair.by);
        pair.by = left;
        return;
      }
    }
    if (left.inferred) this.yielding.add(left);
    else this.strayLeaves.push(left);
  }

  #guess(pair: Ended): void {
    this.ended.push(pair);
    this.#guessed.push(pair);
  }

  /** True if a leave that is late could still end a connection. */
  hasUnended(): boolean {
    return this.open.length > 0 || this.ended.some(({ by }) => by.type === 'room.client.joined');
  }
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
