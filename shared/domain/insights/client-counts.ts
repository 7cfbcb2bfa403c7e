import type { Missing } from '#shared/contracts/insights/insights.ts';
import type { ConnectionKind } from './connection-kind.ts';
import { clockToleranceMs } from './session/session-projection.ts';

/** What a participant adds to the check of a room's clients: its connections, and its joins and leaves. Times are in milliseconds. */
export type Presence = {
  readonly connections: readonly {
    readonly kind: ConnectionKind;
    readonly from: number;
    /** Null while the connection is open. */
    readonly to: number | null;
  }[];
  /** `clients` is what the platform counted after the event, if it told. */
  readonly changes: readonly { readonly at: number; readonly clients: number | undefined }[];
  /** False if the participant has more joins and leaves than count. */
  readonly isWhole: boolean;
};

/**
 * Compares what the platform counted after joins and leaves with the connections that were open then. More clients than connections
 * of any kind: a participant is missing. Fewer than connections of participants: a leave is missing. In between are the recorders and
 * other devices, which a platform may count or not. A count is skipped if another join or leave is within the clock tolerance,
 * because their order is not certain.
 */
export function missingByCounts(presences: readonly Presence[]): Missing[] {
  const changes = presences.flatMap((presence) => presence.changes);
  if (!changes.some(({ clients }) => clients !== undefined)) return [];
  if (presences.some(({ isWhole }) => !isWhole)) return [];
  const ordered = changes.toSorted((one, other) => one.at - other.at);
  const openAt = countOfOpen(presences.flatMap(({ connections }) => connections));
  const isNear = (one: number, other: number | undefined) =>
    other !== undefined && Math.abs(one - other) <= clockToleranceMs;
  const missing = new Set<Missing>();
  for (const [index, { at, clients }] of ordered.entries()) {
    if (clients === undefined || isNear(at, ordered[index - 1]?.at) || isNear(at, ordered[index + 1]?.at)) continue;
    const { all, participants } = openAt(at);
    if (clients > all) missing.add('participant');
    if (clients < participants) missing.add('leave');
  }
  return [...missing];
}

/** Returns how many connections were open at a time. One that ended at that time was not. */
function countOfOpen(connections: Presence['connections']) {
  const ascending = (one: number, other: number) => one - other;
  const timesOf = (some: Presence['connections']) => ({
    begun: some.map(({ from }) => from).toSorted(ascending),
    ended: some.flatMap(({ to }) => to ?? []).toSorted(ascending),
  });
  const all = timesOf(connections);
  const participants = timesOf(connections.filter(({ kind }) => kind === 'participant'));
  const open = ({ begun, ended }: typeof all, at: number) => countUpTo(begun, at) - countUpTo(ended, at);
  return (at: number) => ({ all: open(all, at), participants: open(participants, at) });
}

/** How many of the sorted times are not after a time. */
function countUpTo(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(times[middle]) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
