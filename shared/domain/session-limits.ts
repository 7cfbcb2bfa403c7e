import type { ClientEvent } from '../contracts/session-events.ts';
import { UnreadableMessage } from '../errors.ts';

/** How many facts of a session count, so that no number of them is too many for a worker. docs/insights.md states the rules. */
export const limits = {
  /** Joins and leaves of one participant: the first ones by time. */
  connections: 5_000,
  /** Ratings of one participant: the first ones by time. */
  ratings: 100,
  /** Retractions of one session, or a few more if several arrive at the same moment. Further ones are refused. */
  retractions: 10_000,
} as const;

/** How many events of each participant count. */
export type ParticipantLimits = { readonly connections: number; readonly ratings: number };

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
  const connections = events.filter(({ type }) => type !== 'room.client.rated');
  return {
    events: [...connections.slice(0, most.connections), ...ratings.slice(0, most.ratings)],
    exceeded: Object.entries({ connections, ratings }).flatMap(([name, all]) => {
      const limit = name as Exceeded['limit'];
      const last = all[most[limit] - 1];
      return last && all.length > most[limit] ? [{ participantId, limit, lastAt: last.createdAt }] : [];
    }),
  };
}

/** Throws `UnreadableMessage` if some retractions are not stored yet, and would exceed the number that a session may have. */
export function refuseTooManyRetractions({ stored, missing }: { stored: number; missing: number }): void {
  if (missing === 0 || stored + missing <= limits.retractions) return;
  const message = `must name a session with fewer than ${limits.retractions} retractions: this one accepts no more`;
  throw new UnreadableMessage([{ path: 'data.roomSessionId', message }]);
}
