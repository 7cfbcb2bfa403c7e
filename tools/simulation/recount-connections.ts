import { type EventOf, timeOf } from './events.ts';

/** One connection of a participant. */
export type Connection = {
  readonly join: EventOf<'room.client.joined'>;
  /** In milliseconds since 1970, like all times of the recount. Null while the connection is open. */
  readonly endedAt: number | null;
  /** False if the connection is open, or ended without a leave of its own. */
  readonly hasLeave: boolean;
  /** True if it ended, but not by a leave that the platform told. */
  readonly missesLeave: boolean;
};

type JoinOrLeave = EventOf<'room.client.joined' | 'room.client.left'>;

/** The kinds of connection. Nothing is counted of the kind `other`. */
export type ConnectionKind = 'participant' | 'recorder' | 'streamer' | 'other';

/** How far clocks may differ. Declared here and not imported, so that a wrong constant in the service is found. */
export const clockToleranceMs = 5000;

/** The roles that are no participants in every stage. Declared here and not imported, as above. */
const kinds = new Map<string, ConnectionKind>([
  ['recorder', 'recorder'],
  ['streamer', 'streamer'],
  ['captioner', 'other'],
]);

/** The kind of a connection, by its role name. Any other role is a participant. */
export function kindOf({ join }: Pick<Connection, 'join'>): ConnectionKind {
  return kinds.get(join.data.roleName) ?? 'participant';
}

/** Pairs the joins and leaves of one participant in one session. The others end at `openUntil`. Returns them in order of joining. */
export function connectionsOf(events: readonly JoinOrLeave[], openUntil: number | null): Connection[] {
  let paired = pair(events, []);
  const hasOpen = paired.connections.some(({ endedAt }) => endedAt === null);
  if (hasOpen) paired = pair(events, paired.unmatchedLeaves);
  return paired.connections.map(({ join, endedAt, isGuessed }) => {
    const end = endedAt ?? openUntil;
    return {
      join,
      endedAt: end === null ? null : Math.max(timeOf(join), end),
      hasLeave: endedAt !== null,
      missesLeave: end !== null && (endedAt === null || isGuessed),
    };
  });
}

/** The joins and leaves of one participant that are no guess, or a guess that nothing observed contradicts, and the stray leaves. */
export function believable(events: readonly JoinOrLeave[]) {
  const observedJoins = events.filter((event) => event.type === 'room.client.joined' && !event.inferred).map(timeOf);
  const candidates = events.filter(
    (event) =>
      event.type === 'room.client.left' ||
      !event.inferred ||
      observedJoins.every((time) => Math.abs(time - timeOf(event)) > clockToleranceMs),
  );
  const first = pair(candidates, []);
  const hasOpen = first.connections.some(({ endedAt }) => endedAt === null);
  const { used, unmatchedLeaves } = hasOpen ? pair(candidates, first.unmatchedLeaves) : first;
  return { events: events.filter((event) => !event.inferred || used.has(event)), strayLeaves: unmatchedLeaves };
}

type Paired = {
  readonly join: EventOf<'room.client.joined'>;
  endedAt: number | null;
  leave: JoinOrLeave | null;
  /** True if an inferred leave has ended it. An observed one that finds nobody takes its place. */
  isGuessed: boolean;
  /** When it was ended, among the events. */
  order?: number;
};

/** Pairs each leave with the oldest open join. Late leaves count as if they had happened five seconds later. */
function pair(events: readonly JoinOrLeave[], lateLeaves: readonly JoinOrLeave[]) {
  const countedTime = (event: JoinOrLeave) => timeOf(event) + (lateLeaves.includes(event) ? clockToleranceMs : 0);
  const connections: Paired[] = [];
  const used = new Set<JoinOrLeave>();
  const unmatchedLeaves: JoinOrLeave[] = [];
  const ordered = events.toSorted((one, other) => countedTime(one) - countedTime(other) || joinsFirst(one, other));
  for (const [turn, event] of ordered.entries()) {
    if (event.type === 'room.client.joined') {
      const isThere = connections.some(({ join, endedAt }) => endedAt === null && !join.inferred);
      if (event.inferred && isThere) continue;
      used.add(event);
      connections.push({ join: event, endedAt: null, leave: null, isGuessed: false });
      continue;
    }
    const longestOpen = connections.find(({ endedAt }) => endedAt === null);
    const guessed = connections.filter(({ isGuessed }) => isGuessed);
    const latestGuess = guessed.toSorted((one, other) => Number(one.order) - Number(other.order)).at(-1);
    const ending = longestOpen ?? (event.inferred ? undefined : latestGuess);
    if (ending) {
      if (ending.leave) used.delete(ending.leave);
      used.add(event);
      Object.assign(ending, { endedAt: timeOf(event), leave: event, isGuessed: !!event.inferred, order: turn });
    } else if (!event.inferred) unmatchedLeaves.push(event);
  }
  return { connections, unmatchedLeaves, used };
}

/** Compares events of the same time: joins first, then by id. */
function joinsFirst(one: JoinOrLeave, other: JoinOrLeave): number {
  if (one.type !== other.type) return one.type === 'room.client.joined' ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
