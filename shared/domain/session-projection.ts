import {
  type ClientEvent,
  type ClientJoined,
  type ClientRated,
  isClientEvent,
  type SessionEvent,
} from '../contracts/session-events.ts';

/** Clocks of a platform's servers differ: what belongs to a join may be dated this much before it. */
export const clockToleranceMs = 5_000;

/** What is connected: a person, or a part of the platform that records or streams. */
export type ConnectionKind = 'participant' | 'recorder' | 'streamer';

/** One stay of a participant; `leftAt` is null while it lasts. */
export type Connection = {
  readonly kind: ConnectionKind;
  readonly joined: ClientJoined;
  readonly leftAt: string | null;
  /** No leave was observed: it lasts as long as the session, whenever that ends. */
  readonly endsWithSession: boolean;
};

/** One participant: the connections in the order of joining, the ratings in the order of time. */
export type ProjectedParticipant = {
  readonly participantId: string;
  readonly connections: readonly Connection[];
  readonly ratings: readonly ClientRated[];
};

/** What the facts say of a session. `observedStartAt` is null where the start can only be inferred. */
type ProjectedSession = {
  readonly observedStartAt: string | null;
  /** The earliest time that any of the facts names; null without facts. */
  readonly earliestAt: string | null;
  readonly endedAt: string | null;
  readonly participants: readonly ProjectedParticipant[];
};

/**
 * The one reading of a session's facts, whatever their order (docs/insights.md). What comes out for one participant rests
 * on the facts of that participant and of the session alone, so facts of some of the participants give the truth of those.
 */
export function projectSession(facts: readonly SessionEvent[]): ProjectedSession {
  const ordered = facts.toSorted(byTime);
  const endedAt = ordered.findLast(({ type }) => type === 'room.session.ended')?.createdAt ?? null;
  const byParticipant = Map.groupBy(ordered.filter(isClientEvent), ({ data }) => data.participantId);
  return {
    observedStartAt: ordered.find(({ type }) => type === 'room.session.started')?.createdAt ?? null,
    earliestAt: ordered[0]?.createdAt ?? null,
    endedAt,
    participants: [...byParticipant].map(([participantId, events]) => ({
      participantId,
      connections: connectionsOf(events, endedAt),
      ratings: events.filter((event) => event.type === 'room.client.rated'),
    })),
  };
}

/** The connections of one participant; what no leave has ended lasts as long as the session. */
function connectionsOf(events: readonly ClientEvent[], sessionEndedAt: string | null): Connection[] {
  const connection = (joined: ClientJoined, leftAt: string | null, endsWithSession: boolean): Connection => ({
    kind: kindOf(joined.data.roleName),
    joined,
    leftAt: leftAt && latest(leftAt, joined.createdAt),
    endsWithSession,
  });
  const { ended, open } = pairJoinsWithLeaves(events);
  return [
    ...ended.map(([joined, left]) => connection(joined, left.createdAt, false)),
    ...open.map((joined) => connection(joined, sessionEndedAt, true)),
  ].toSorted((one, other) => byTime(one.joined, other.joined));
}

/**
 * Each leave ends the connection that has been open the longest. Where one finds none although another connection stays
 * open, the clocks differed: it is taken for one that came a little later.
 */
function pairJoinsWithLeaves(
  events: readonly ClientEvent[],
  delayed: readonly ClientEvent[] = [],
): { readonly ended: readonly [ClientJoined, ClientEvent][]; readonly open: readonly ClientJoined[] } {
  const at = (event: ClientEvent) => Date.parse(event.createdAt) + (delayed.includes(event) ? clockToleranceMs : 0);
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
  const isWorthAnotherLook = delayed.length === 0 && strayLeaves.length > 0 && open.length > 0;
  return isWorthAnotherLook ? pairJoinsWithLeaves(events, strayLeaves) : { ended, open };
}

/** At the same time a join comes before a leave, and otherwise ids decide, so that every order is one order. */
function byTime(one: SessionEvent, other: SessionEvent): number {
  return compare(one.createdAt, other.createdAt) || byKindAndId(one, other);
}

function byKindAndId(one: SessionEvent, other: SessionEvent): number {
  return compare(one.type, other.type) || compare(one.id, other.id);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}

function kindOf(roleName: string): ConnectionKind {
  return roleName === 'recorder' || roleName === 'streamer' ? roleName : 'participant';
}
