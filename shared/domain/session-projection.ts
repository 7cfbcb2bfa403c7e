import {
  type ClientEvent,
  type ClientJoined,
  type ClientRated,
  isClientEvent,
  type SessionEvent,
  type SessionRetraction,
} from '../contracts/session-events.ts';
import type { Exceeded } from './session-limits.ts';

/** The clocks of a platform's servers differ, so an event that belongs to a join may have a time this much before it. */
export const clockToleranceMs = 5_000;

/** Who is connected: a person, or a recorder or streamer of the platform. */
export type ConnectionKind = 'participant' | 'recorder' | 'streamer';

/** One connection of a participant. `leftAt` is null while it is open. */
export type Connection = {
  readonly kind: ConnectionKind;
  readonly joined: ClientJoined;
  readonly leftAt: string | null;
  /** True if no leave belongs to the connection and all of the participant's events count, so that it lasts until the session ends. */
  readonly endsWithSession: boolean;
};

/** One participant, with connections in the order of their joins and ratings in the order of time. */
export type ProjectedParticipant = {
  readonly participantId: string;
  readonly connections: readonly Connection[];
  readonly ratings: readonly ClientRated[];
  /** The joins that the platform has taken back. */
  readonly retractedJoins: readonly ClientJoined[];
  /** True if every event of the participant was taken back. */
  readonly isGone: boolean;
};

/** What a projection needs of a retraction. */
export type Retraction = Pick<SessionRetraction, 'type'> & {
  readonly data: Pick<SessionRetraction['data'], 'eventId'>;
};

/** A fact of a session of one room: an event, or the retraction of one. */
export type RoomFact = SessionEvent | Retraction;

/** A session as its facts describe it. `observedStartAt` is null if the start can only be inferred. */
type ProjectedSession = {
  readonly observedStartAt: string | null;
  /** The earliest time of all events that were not taken back; null without any. */
  readonly earliestAt: string | null;
  readonly endedAt: string | null;
  readonly participants: readonly ProjectedParticipant[];
};

/**
 * Derives a session from its facts, by the rules of docs/insights.md. The order of the facts does not matter. A participant
 * depends only on its own facts and on the session's, so a subset of the participants can be projected alone. The facts are
 * those that count, and `exceeded` names the participants with more.
 */
export function projectSession(facts: readonly RoomFact[], exceeded: readonly Exceeded[] = []): ProjectedSession {
  const events = facts.filter((fact) => fact.type !== 'fact.retracted').toSorted(byTime);
  const retractedIds = new Set(retractedEventIds(facts));
  const isRetracted = ({ id }: SessionEvent) => retractedIds.has(id);
  const ordered = events.filter((event) => !isRetracted(event));
  const endedAt = ordered.findLast(({ type }) => type === 'room.session.ended')?.createdAt ?? null;
  const cuts = new Map(
    exceeded.filter(({ limit }) => limit === 'connections').map(({ participantId, lastAt }) => [participantId, lastAt]),
  );
  const byParticipant = Map.groupBy(events.filter(isClientEvent), ({ data }) => data.participantId);
  return {
    observedStartAt: ordered.find(({ type }) => type === 'room.session.started')?.createdAt ?? null,
    earliestAt: ordered[0]?.createdAt ?? null,
    endedAt,
    participants: [...byParticipant].map(([participantId, all]) => {
      const kept = all.filter((event) => !isRetracted(event));
      return {
        participantId,
        connections: connectionsOf(kept, endedAt, cuts.get(participantId)),
        ratings: kept.filter((event) => event.type === 'room.client.rated'),
        retractedJoins: all.filter((event) => event.type === 'room.client.joined').filter(isRetracted),
        isGone: kept.length === 0,
      };
    }),
  };
}

/** The ids of the events that the facts take back. */
export function retractedEventIds(facts: readonly RoomFact[]): string[] {
  return facts.flatMap((fact) => (fact.type === 'fact.retracted' ? fact.data.eventId : []));
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
  const connection = (joined: ClientJoined, leftAt: string | null, endsWithSession: boolean): Connection => ({
    kind: kindOf(joined.data.roleName),
    joined,
    leftAt: leftAt && latest(leftAt, joined.createdAt),
    endsWithSession,
  });
  const { ended, open } = pairJoinsWithLeaves(events);
  return [
    ...ended.map(([joined, left]) => connection(joined, left.createdAt, false)),
    ...open.map((joined) => connection(joined, cutAt ?? sessionEndedAt, cutAt === undefined)),
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

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}

/** Who connects with a role. */
export function kindOf(roleName: string): ConnectionKind {
  return roleName === 'recorder' || roleName === 'streamer' ? roleName : 'participant';
}
