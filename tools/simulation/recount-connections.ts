import { type EventOf, timeOf } from './events.ts';

/** One stay of a participant. */
export type Connection = {
  readonly join: EventOf<'room.client.joined'>;
  /** In milliseconds since 1970, as all times of the recount; null while it is open. */
  readonly endedAt: number | null;
};

type ComingOrGoing = EventOf<'room.client.joined' | 'room.client.left'>;

/** The kinds of connection; `roleName` tells two of them. */
export type ConnectionKind = 'participant' | 'recorder' | 'streamer';

/** How far clocks may be apart; the service's own constant is another, so that neither can be wrong by itself. */
export const clockToleranceMs = 5000;

/** The kind of a connection. */
export function kindOf({ join }: Connection): ConnectionKind {
  const { roleName } = join.data;
  return roleName === 'recorder' || roleName === 'streamer' ? roleName : 'participant';
}

/** Pairs the joins and leaves of one participant of one session; the connections stand in the order of joining. */
export function connectionsOf(events: readonly ComingOrGoing[], sessionEndedAt: number | null): Connection[] {
  let paired = pair(events, []);
  const hasOpen = paired.connections.some(({ endedAt }) => endedAt === null);
  if (hasOpen) paired = pair(events, paired.unmatchedLeaves);
  return paired.connections.map(({ join, endedAt }) => {
    const end = endedAt ?? sessionEndedAt;
    return { join, endedAt: end === null ? null : Math.max(timeOf(join), end) };
  });
}

/** First come, first gone; the late leaves count as if they had come five seconds later. */
function pair(events: readonly ComingOrGoing[], lateLeaves: readonly ComingOrGoing[]) {
  const countedTime = (event: ComingOrGoing) => timeOf(event) + (lateLeaves.includes(event) ? clockToleranceMs : 0);
  const connections: { join: EventOf<'room.client.joined'>; endedAt: number | null }[] = [];
  const unmatchedLeaves: ComingOrGoing[] = [];
  const ordered = events.toSorted((one, other) => countedTime(one) - countedTime(other) || joinsFirst(one, other));
  for (const event of ordered) {
    if (event.type === 'room.client.joined') connections.push({ join: event, endedAt: null });
    else {
      const longestOpen = connections.find(({ endedAt }) => endedAt === null);
      if (longestOpen) longestOpen.endedAt = timeOf(event);
      else unmatchedLeaves.push(event);
    }
  }
  return { connections, unmatchedLeaves };
}

/** The order of two events of one time: joins first, and then the smaller id. */
function joinsFirst(one: ComingOrGoing, other: ComingOrGoing): number {
  if (one.type !== other.type) return one.type === 'room.client.joined' ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
