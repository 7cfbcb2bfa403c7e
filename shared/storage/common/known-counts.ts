const maxCounters = 10_000;

/**
 * Remembers, in the memory of one function, the highest count seen of each counter in the current minute. Counts only grow
 * during a minute, so a counter has at least the remembered count. Forgets everything when a new minute begins, and the
 * counter that was seen first if there are more than `limit`.
 */
export function knownCounts(limit = maxCounters) {
  let minute = 0;
  const counts = new Map<string, number>();
  const enter = (startedAt: number) => {
    if (startedAt === minute) return;
    minute = startedAt;
    counts.clear();
  };
  return {
    /** Returns the count of this minute, or undefined if this function has not seen it yet. */
    of(counter: string, startedAt: number): number | undefined {
      enter(startedAt);
      return counts.get(counter);
    },

    /** Remembers a count. Answers can arrive out of order, so a lower count than the remembered one is ignored. */
    saw(counter: string, startedAt: number, count: number): void {
      enter(startedAt);
      counts.set(counter, Math.max(count, counts.get(counter) ?? 0));
      if (counts.size > limit) counts.delete(counts.keys().next().value ?? '');
    },
  };
}
