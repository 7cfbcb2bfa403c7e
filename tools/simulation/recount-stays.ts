import type { ParticipantEvent } from '#shared/contracts/insights/insights.ts';
import { timeOf } from './events.ts';
import type { Connection } from './recount-connections.ts';
import type { RatedEvent } from './recount-events.ts';

/** One participant in the session of one room. The connections are in order of joining. */
export type Stay = { readonly connections: readonly Connection[]; readonly ratings: readonly RatedEvent[] };

const rank: Readonly<Record<ParticipantEvent['type'], number>> = { joined: 0, left: 1, rated: 2 };

/** The events of each connection, in order of time. Each rating is an event of one connection. */
export function eventsOf({ connections, ratings }: Stay): Map<Connection, ParticipantEvent[]> {
  return new Map(
    connections.map((connection, index) => {
      const joinedAt = timeOf(connection.join);
      const since = index === 0 ? Number.NEGATIVE_INFINITY : joinedAt;
      const next = connections[index + 1];
      const until = next ? timeOf(next.join) : Number.POSITIVE_INFINITY;
      const rated = ratings.map(timeOf).filter((time) => time >= since && time < until);
      const events = [
        { type: 'joined' as const, time: joinedAt },
        ...(connection.hasLeave ? [{ type: 'left' as const, time: Number(connection.endedAt) }] : []),
        ...rated.map((time) => ({ type: 'rated' as const, time })),
      ];
      const ordered = events.toSorted((one, other) => one.time - other.time || rank[one.type] - rank[other.type]);
      return [connection, ordered.map(({ type, time }) => ({ type, timeStamp: new Date(time).toISOString() }))];
    }),
  );
}
