import type { Random } from './random.ts';

/** A connection as it was meant; `to` is undefined where no leave was ever sent. */
export type Stay = { readonly from: number; readonly to: number | undefined };

/**
 * What becomes of participants, dealt to one after the other, so that a history of a dozen has all of it. A `lostJoin` is
 * somebody of whom only the leave, and perhaps a rating, arrives.
 */
export const behaviors = [
  ...(['steady', 'badNetwork', 'reconnects', 'steady', 'overlaps', 'flickers', 'steady'] as const),
  ...(['lostLeave', 'reconnects', 'steady', 'lostJoin', 'steady', 'steady'] as const),
] as const;
/** One of them. */
export type Behavior = (typeof behaviors)[number];

/** How often somebody on a bad network connects again. */
const badNetworkReconnects = 5;
const maxGapMs = 20_000;
const minGapMs = 2000;
const flickerMs = 300;

/** The connections of one participant who is there from one time to another, all but those that never began. */
export function createStays(random: Random, behavior: Behavior, from: number, to: number): Stay[] {
  switch (behavior) {
    case 'badNetwork':
      return interrupted(random, from, to, badNetworkReconnects);
    case 'reconnects':
      return interrupted(random, from, to, random.integer(1, 2));
    case 'overlaps': {
      const quarter = Math.floor((to - from) / 4);
      const second = from + quarter + random.integer(0, quarter);
      return [
        { from, to },
        { from: second, to: second + random.integer(1, quarter) },
      ];
    }
    case 'flickers':
      return [
        { from, to: from + flickerMs }, // by clocks that differ, the leave may come before the join
        { from: from + random.integer(minGapMs, maxGapMs), to },
      ];
    case 'lostLeave':
      return [{ from, to: undefined }];
    case 'lostJoin':
    case 'steady':
      return [{ from, to }];
  }
}

function interrupted(random: Random, from: number, to: number, times: number): Stay[] {
  const part = Math.floor((to - from) / (times + 1));
  return Array.from({ length: times + 1 }, (_, index) => ({
    from: from + index * part + (index === 0 ? 0 : random.integer(minGapMs, maxGapMs)),
    to: index === times ? to : from + (index + 1) * part,
  }));
}
