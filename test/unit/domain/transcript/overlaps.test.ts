import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countMeeting,
  joined,
  lengthOf,
  overlapOf,
  overlapsByOffset,
  type Span,
} from '#shared/domain/transcript/overlaps.ts';

const span = fc.record({ from: fc.integer({ min: -40, max: 40 }), length: fc.integer({ min: 1, max: 20 }) });
const spans = fc.array(
  span.map(({ from, length }) => ({ from, to: from + length })),
  { maxLength: 8 },
);

/** The whole numbers that spans cover. */
const covered = (all: readonly Span[]) =>
  new Set(all.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)));

describe('joined spans', () => {
  test('cover the same time, in order, with gaps between them', () => {
    fc.assert(
      fc.property(spans, (some) => {
        const all = joined(some, 0);
        expect(covered(all)).toEqual(covered(some));
        expect(lengthOf(all)).toBe(covered(some).size);
        for (const [index, { from }] of all.slice(1).entries()) expect(from).toBeGreaterThan(all[index]?.to ?? 0);
      }),
    );
  });

  test('are joined over a gap that is no longer than allowed', () => {
    const some = [
      { from: 5, to: 6 },
      { from: 0, to: 1 },
      { from: 2, to: 3 },
    ];
    expect(joined(some, 1)).toEqual([
      { from: 0, to: 3 },
      { from: 5, to: 6 },
    ]);
  });
});

test('the overlap of two lists is the time that both cover, and counts the spans that meet', () => {
  fc.assert(
    fc.property(spans, spans, (some, others) => {
      const [one, other] = [joined(some, 0), joined(others, 0)];
      expect(overlapOf(one, other)).toBe([...covered(one)].filter((each) => covered(other).has(each)).length);
      expect(countMeeting(one, other)).toBe(one.filter((each) => overlapOf([each], other) > 0).length);
    }),
  );
});

test('the overlaps by offset are those of the second list moved back by each offset', () => {
  fc.assert(
    fc.property(spans, spans, fc.integer({ min: 0, max: 60 }), (some, others, range) => {
      const [still, moved] = [joined(some, 0), joined(others, 0)];
      const expected = Array.from({ length: 2 * range + 1 }, (_, index) =>
        overlapOf(
          still,
          moved.map(({ from, to }) => ({ from: from - index + range, to: to - index + range })),
        ),
      );
      expect([...overlapsByOffset(still, moved, range)]).toEqual(expected);
    }),
  );
});
