import type { ParticipantEvent } from '#shared/contracts/insights/insights.ts';
import type { ClientJoined } from '#shared/contracts/insights/session-events.ts';
import { compare, type Stay } from './session/session-projection.ts';

/** A connection, and what its participant did, in the order of time. */
export type ConnectionEvents = { readonly joined: ClientJoined; readonly events: readonly ParticipantEvent[] };

/**
 * The events of each connection of a stay: its join, the leave that ended it, and the ratings. A rating belongs to the connection
 * that began last before it, or to the first one. An inferred end is no event.
 */
export function eventsOfConnections({ connections, ratings }: Stay): ConnectionEvents[] {
  const ratingsOf = Map.groupBy(ratings, ({ createdAt }) =>
    Math.max(
      0,
      connections.findLastIndex(({ joined }) => joined.createdAt <= createdAt),
    ),
  );
  return connections.map(({ joined, leftAt, hasLeave }, index) => {
    const events: ParticipantEvent[] = [{ type: 'joined', timeStamp: joined.createdAt }];
    if (hasLeave && leftAt !== null) events.push({ type: 'left', timeStamp: leftAt });
    for (const { createdAt } of ratingsOf.get(index) ?? []) events.push({ type: 'rated', timeStamp: createdAt });
    return { joined, events: events.toSorted((one, other) => compare(one.timeStamp, other.timeStamp)) };
  });
}
