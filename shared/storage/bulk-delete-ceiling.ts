import type { OrganizationId } from '../contracts/organization.ts';
import type { Allowance } from '../contracts/rate-limit.ts';
import { allowanceOf, type CountTable, countWithinLimit, startOfWindow, takeOff } from './window-counts.ts';

const hourMs = 3_600_000;

/** The answer to a request for ids. `giveBack` takes them off the count again, if not all of them could be sent. */
type TakenIds = { readonly allowance: Allowance; readonly giveBack: () => Promise<void> };

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
  return {
    async take(organizationId: OrganizationId, ids: number): Promise<TakenIds> {
      const startedAt = startOfWindow(now(), hourMs);
      const window = `bulk-delete#${new Date(startedAt).toISOString()}`;
      const resetsAt = (startedAt + hourMs) / 1000;
      const spending = { counter: organizationId, window, resetsAt, points: ids, limit: idsPerHour };
      const { isExceeded, spent } = await countWithinLimit(table, spending);
      return { allowance: allowanceOf(spending, isExceeded, spent), giveBack: () => takeOff(table, spending) };
    },
  };
}
