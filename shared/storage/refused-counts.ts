import { knownCounts } from './known-counts.ts';
import { type CountTable, countWithinLimit, type Spending, startOfWindow, takeOff } from './window-counts.ts';

const hourMs = 3_600_000;
/** How long a full hour is remembered. It is short, because counts that were not used are given back. */
const memoryMs = 60_000;

/** The part of a count that was taken, and whether it was the last one of the hour. */
export type HourlyCount = {
  readonly taken: number;
  readonly isFull: boolean;
  /** Takes so many off the count again. */
  readonly giveBack: (count: number) => Promise<void>;
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
    /** Whether nothing was left for this counter a moment ago. Costs nothing. */
    isFull: (counter: string): boolean => full.of(counter, startOfWindow(now(), memoryMs)) !== undefined,

    /** Takes `wanted` if as much is left, and otherwise what is left. Costs one write unit, or two near the limit. */
    async take(counter: string, wanted: number, limit: number): Promise<HourlyCount> {
      const spending = spendingOf(counter, wanted, limit);
      const giveBack = async (count: number) => {
        if (count > 0) await takeOff(table, { ...spending, points: count });
      };
      const whole = await countWithinLimit(table, spending);
      if (!whole.isExceeded) return { taken: wanted, isFull: whole.spent >= limit, giveBack };
      const left = limit - whole.spent;
      if (left > 0) {
        const { isExceeded } = await countWithinLimit(table, { ...spending, points: left });
        if (!isExceeded) return { taken: left, isFull: true, giveBack };
      }
      full.saw(counter, startOfWindow(now(), memoryMs), limit);
      return { taken: 0, isFull: true, giveBack };
    },
  };
}
