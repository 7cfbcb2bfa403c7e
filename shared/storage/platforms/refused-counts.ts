import { knownCounts } from '../common/known-counts.ts';
import { type CountTable, countWithinLimit, type Spending, startOfWindow, takeOff } from '../common/window-counts.ts';

const hourMs = 3_600_000;
/** How long a worker remembers that an hour is full. */
const memoryMs = 60_000;

/** The part of a count that was taken, and whether it was the last one of the hour. */
export type HourlyCount = {
  readonly taken: number;
  readonly isFull: boolean;
  /** Keeps so many of the taken ones, and takes the others off the count again. */
  readonly settle: (kept: number) => Promise<void>;
};

/** Counts refused events per hour, in items beside the points of the rate limit. Concurrent workers never exceed a limit. */
export function hourlyCounts(table: CountTable, now: () => number) {
  const full = knownCounts();
  const spendingOf = (counter: string, points: number, limit: number): Spending => {
    const startedAt = startOfWindow(now(), hourMs);
    const window = `refused-events#${new Date(startedAt).toISOString()}`;
    return { counter, window, resetsAt: (startedAt + hourMs) / 1000, points, limit };
  };
  return {
    /** Whether this worker knows that the hour is full, and stays full. Costs nothing. */
    isFull: (counter: string): boolean => full.of(counter, startOfWindow(now(), memoryMs)) !== undefined,

    /**
     * Takes `wanted` if as much is left, and otherwise what is left. Costs one write unit, or two near the limit. A worker that
     * takes some for a moment and gives them back makes no other one remember that the hour is full.
     */
    async take(counter: string, wanted: number, limit: number): Promise<HourlyCount> {
      const spending = spendingOf(counter, wanted, limit);
      const slots = (taken: number, isFull: boolean): HourlyCount => ({
        taken,
        isFull,
        settle: async (kept) => {
          if (taken > 0) await takeOff(table, { ...spending, points: taken - kept }, kept);
        },
      });
      const whole = await countWithinLimit(table, spending);
      if (!whole.isExceeded) return slots(wanted, whole.spent >= limit);
      const left = limit - whole.spent;
      if (left > 0) {
        const { isExceeded } = await countWithinLimit(table, { ...spending, points: left });
        if (!isExceeded) return slots(left, true);
      }
      if ((whole.kept ?? 0) >= limit) full.saw(counter, startOfWindow(now(), memoryMs), limit);
      return slots(0, true);
    },
  };
}
