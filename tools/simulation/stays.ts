import type { Random } from './random.ts';

/** A generated connection. `to` is undefined if no leave is sent. */
export type Stay = { readonly from: number; readonly to: number | undefined };

/**
 * The behaviors of participants, assigned in turn, so that a history of a dozen participants has all of them. Of a
 * `lostJoin`, only the leave and perhaps a rating arrive.
 */
export const behaviors = [
  ...(['steady', 'badNetwork', 'reconnects', 'steady', 'overlaps', 'flickers', 'steady'] as const),
  ...(['lostLeave', 'reconnects', 'steady', 'lostJoin', 'steady', 'steady'] as const),
] as const;
export type Behavior = (typeof behaviors)[number];

/** How often a participant on a bad network reconnects. */
const badNetworkReconnects = 5;
const maxGapMs = 20_000;
const minGapMs = 2000;
const flickerMs = 300;

/** Generates the connections of one participant between two times. */
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
        { from, to: from + flickerMs }, // clocks differ, so the leave may precede the join
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
