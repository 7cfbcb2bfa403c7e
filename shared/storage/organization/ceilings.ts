import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';
import type { ReplayCeiling } from '#shared/use-cases/organization/ports.ts';
import {
  allowanceOf,
  type CountTable,
  countWithinLimit,
  type Spending,
  startOfWindow,
  takeOff,
} from '../common/window-counts.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The answer to a request for ids. `giveBack` takes them off the count again, if not all of them could be sent. */
type TakenIds = { readonly allowance: Allowance; readonly giveBack: () => Promise<void> };

/** A kind of count, and the length of its windows. Each window is one item of the organization beside its points. */
type Count = { readonly name: string; readonly windowMs: number };

/**
 * Counts the ids of accepted bulk deletes per hour, in one item of each organization beside its points. Ids are taken only if
 * enough are left, so concurrent requests never exceed the ceiling. It remembers no count, because a count can fall again.
 */
export function bulkDeleteCeiling(
  documents: CountTable['documents'],
  tableName: string,
  { idsPerHour, now = Date.now }: { readonly idsPerHour: number; readonly now?: () => number },
) {
  const table = { documents, tableName };
  const count = { name: 'bulk-delete', windowMs: hourMs };
  return {
    async take(organizationId: OrganizationId, ids: number): Promise<TakenIds> {
      const spending = { ...pointsOf(count, organizationId, ids, now()), limit: idsPerHour };
      const { isExceeded, spent } = await countWithinLimit(table, spending);
      return { allowance: allowanceOf(spending, isExceeded, spent), giveBack: () => takeOff(table, spending) };
    },
  };
}

/** Counts the replays of periods that an organization starts on a day of UTC, beside its points. It remembers no count, because it can fall again. */
export function replayCeiling(
  documents: CountTable['documents'],
  tableName: string,
  { replaysPerDay, now = Date.now }: { readonly replaysPerDay: number; readonly now?: () => number },
): ReplayCeiling {
  const table = { documents, tableName };
  const count = { name: 'replays', windowMs: dayMs };
  return {
    async take(organizationId) {
      const spending = { ...pointsOf(count, organizationId, 1, now()), limit: replaysPerDay };
      const { isExceeded, spent } = await countWithinLimit(table, spending);
      return { allowance: allowanceOf(spending, isExceeded, spent), giveBack: () => takeOff(table, spending) };
    },
  };
}

/** Seconds of recordings that an organization has transcribed on the day of `at`, in UTC. They are counted in the transactions of others. */
export function secondsOfDay(organizationId: OrganizationId, seconds: number, at: Date): Omit<Spending, 'limit'> {
  return pointsOf({ name: 'recognition', windowMs: dayMs }, organizationId, seconds, at.getTime());
}

function pointsOf({ name, windowMs }: Count, counter: OrganizationId, points: number, at: number) {
  const startedAt = startOfWindow(at, windowMs);
  const window = `${name}#${new Date(startedAt).toISOString()}`;
  return { counter, window, resetsAt: (startedAt + windowMs) / 1000, points };
}
