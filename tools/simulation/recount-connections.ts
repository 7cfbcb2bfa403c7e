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

/** Ends what no leave and no join has ended at `openUntil`. Returns the connections in order of joining. */
export function connectionsOf({ paired }: Pick<Believable, 'paired'>, openUntil: number | null): Connection[] {
  return paired.map(({ join, endedAt, leave, isGuessed }) => {
    const end = endedAt ?? openUntil;
    return {
      join,
      endedAt: end === null ? null : Math.max(timeOf(join), end),
      hasLeave: leave !== null,
      missesLeave: end !== null && (endedAt === null || isGuessed),
    };
  });
}

/** What counts of the joins and leaves of one participant in one session. */
type Believable = {
  /** Those that are no guess, or a guess that nothing observed contradicts. */
  readonly events: readonly JoinOrLeave[];
  readonly paired: readonly Paired[];
  /** Observed leaves that ended nothing. */
  readonly strayLeaves: readonly JoinOrLeave[];
};

/**
 * Pairs the joins and leaves of one participant in one session. A guess that an observed leave replaces has still had its turn: the
 * leaves between them ended other connections.
 */
export function believable(events: readonly JoinOrLeave[]): Believable {
  const observedJoins = events.filter((event) => event.type === 'room.client.joined' && !event.inferred);
  const candidates = events.filter(
    (event) =>
      event.type === 'room.client.left' ||
      !event.inferred ||
      observedJoins.every((join) => areApart(join, event) || Math.abs(timeOf(join) - timeOf(event)) > clockToleranceMs),
  );
  const first = pair(candidates, []);
  const last = isLeaveWanted(first.connections) ? pair(candidates, first.unmatchedLeaves) : first;
  return {
    events: events.filter((event) => !event.inferred || last.used.has(event)),
    paired: last.connections,
    strayLeaves: last.unmatchedLeaves,
  };
}

/** Whether some connections have no leave: they are open, or a later join has ended them. */
function isLeaveWanted(connections: readonly Paired[]): boolean {
  return connections.some(({ endedAt, leave }) => endedAt === null || leave === null);
}

/** Whether a platform's ids tell two joins or leaves apart. */
function areApart(one: JoinOrLeave, other: JoinOrLeave): boolean {
  const [first, second] = [one.data.connectionId ?? null, other.data.connectionId ?? null];
  return first !== null && second !== null && first !== second;
}

type Paired = {
  readonly join: EventOf<'room.client.joined'>;
  endedAt: number | null;
  leave: JoinOrLeave | null;
  /** True if an inferred leave or a later join has ended it. An observed leave that finds nobody takes its place. */
  isGuessed: boolean;
  /** When it was ended, among the events. */
  order?: number;
};

/** Pairs each leave with its join by the platform's id, or with the oldest open join. Late leaves count as if they had happened five seconds later. */
function pair(events: readonly JoinOrLeave[], lateLeaves: readonly JoinOrLeave[]) {
  const countedTime = (event: JoinOrLeave) => timeOf(event) + (lateLeaves.includes(event) ? clockToleranceMs : 0);
  const connections: Paired[] = [];
  const used = new Set<JoinOrLeave>();
  const unmatchedLeaves: JoinOrLeave[] = [];
  const ordered = events.toSorted((one, other) => countedTime(one) - countedTime(other) || joinsFirst(one, other));
  for (const [turn, event] of ordered.entries()) {
    if (event.type === 'room.client.joined') {
      const isThere = connections.some(
        ({ join, endedAt }) => endedAt === null && !join.inferred && !areApart(join, event),
      );
      if (event.inferred && isThere) continue;
      used.add(event);
      for (const other of connections)
        if (event.data.exclusive && other.endedAt === null)
          Object.assign(other, { endedAt: timeOf(event), isGuessed: true, order: turn });
      connections.push({ join: event, endedAt: null, leave: null, isGuessed: false });
      continue;
    }
    const named = connections.filter(
      ({ join }) => event.data.connectionId && join.data.connectionId === event.data.connectionId,
    );
    const possible = connections.filter(({ join }) => !areApart(join, event));
    const ending = endingAmong(named, event) ?? endingAmong(possible, event);
    if (ending) {
      if (ending.leave) used.delete(ending.leave);
      used.add(event);
      Object.assign(ending, { endedAt: timeOf(event), leave: event, isGuessed: !!event.inferred, order: turn });
    } else if (!event.inferred) unmatchedLeaves.push(event);
  }
  return { connections, unmatchedLeaves, used };
}

/** The oldest open connection, or for an observed leave the one whose end was guessed last. */
function endingAmong(connections: readonly Paired[], { inferred }: JoinOrLeave): Paired | undefined {
  const open = connections.find(({ endedAt }) => endedAt === null);
  if (open || inferred) return open;
  const guessed = connections.filter(({ isGuessed }) => isGuessed);
  return guessed.toSorted((one, other) => Number(one.order) - Number(other.order)).at(-1);
}

/** Compares events of the same time: joins first, then by id. */
function joinsFirst(one: JoinOrLeave, other: JoinOrLeave): number {
  if (one.type !== other.type) return one.type === 'room.client.joined' ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
