import { type ClientEvent, isSessionEvent, type SessionFact } from '#shared/contracts/insights/session-events.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';

const mebibyte = 1024 * 1024;

/** What one session can hold, so that no session is too large for a worker. docs/insights.md states the rules. */
export const limits = {
  /** Joins and leaves of one participant that count: the first ones by time. */
  connections: 5_000,
  /** Ratings of one participant that count: the first ones by time. */
  ratings: 100,
  /** Updates of one participant that count: the first ones by time. */
  updates: 5_000,
  /** Size of a session's events as JSON, in bytes. Further events of participants are refused. */
  eventBytes: 32 * mebibyte,
  /** The same with starts, ends and retractions, so that a session with too many events can still end. */
  allBytes: 36 * mebibyte,
  /** Size of the talk times that this service has measured, in bytes. Further ones are left out, and withdrawals are not. */
  talkBytes: mebibyte,
  /** Rooms that can use one session id. */
  rooms: 5,
  /** Events of a session with one id. A retraction takes all of them back together. */
  eventsWithOneId: 25,
} as const;

/** How many events of each participant count. */
export type ParticipantLimits = { readonly connections: number; readonly ratings: number; readonly updates: number };

/** A participant with more events in a session than count, and the time of the last one that counts. */
export type Exceeded = {
  readonly participantId: string;
  readonly limit: keyof ParticipantLimits;
  readonly lastAt: string;
};

/** Of a participant's events in the order of time, those that count, and the limits that the others exceed. */
export function countedOf(
  participantId: string,
  events: readonly ClientEvent[],
  most: ParticipantLimits = limits,
): { readonly events: ClientEvent[]; readonly exceeded: Exceeded[] } {
  const ratings = events.filter(({ type }) => type === 'room.client.rated');
  const updates = events.filter(({ type }) => type === 'room.client.updated');
  const connections = events.filter(({ type }) => type === 'room.client.joined' || type === 'room.client.left');
  return {
    events: [
      ...connections.slice(0, most.connections),
      ...ratings.slice(0, most.ratings),
      ...updates.slice(0, most.updates),
    ],
    exceeded: Object.entries({ connections, ratings, updates }).flatMap(([name, all]) => {
      const limit = name as Exceeded['limit'];
      const last = all[most[limit] - 1];
      return last && all.length > most[limit] ? [{ participantId, limit, lastAt: last.createdAt }] : [];
    }),
  };
}

/** What a session holds already. */
type Held = {
  readonly bytes: number;
  readonly rooms: ReadonlySet<string>;
  readonly eventsWithId: (id: string) => number;
};

/** Returns why a session with these contents accepts no such fact, or undefined if it does. */
export function refusalOf(fact: SessionFact, { bytes, rooms, eventsWithId }: Held): UnreadableMessage | undefined {
  const refused = (path: string, message: string) => new UnreadableMessage([{ path, message }]);
  const isOfClient = fact.type.startsWith('room.client.');
  if (bytes >= (isOfClient ? limits.eventBytes : limits.allBytes))
    return refused(
      'data.roomSessionId',
      'must name a session that has not reached its size: this one accepts no more events',
    );
  if (!isSessionEvent(fact)) return undefined;
  if (!rooms.has(fact.data.roomName) && rooms.size >= limits.rooms)
    return refused(
      'data.roomName',
      `must be one of the rooms of its session: at most ${limits.rooms} rooms can use one session id`,
    );
  if (eventsWithId(fact.id) >= limits.eventsWithOneId)
    return refused('id', `must be the id of fewer than ${limits.eventsWithOneId} events of its session`);
  return undefined;
}
