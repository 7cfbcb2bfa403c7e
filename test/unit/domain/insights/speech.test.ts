import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { speechLimits } from '#shared/contracts/insights/speech.ts';
import { maxBlockMs, type SpeechBlock, splitSpeech, spokenTimes } from '#shared/domain/insights/speech.ts';
import { joined } from '#shared/domain/transcript/overlaps.ts';

const start = Date.parse('2026-03-02T09:00:00.250Z');
const timeOf = (ms: number) => new Date(start + ms).toISOString();
const interval = ([from, to]: readonly [from: number, to: number]) => ({ from: timeOf(from), to: timeOf(to) });
/** The spans of blocks, in milliseconds after the start. */
const spansOf = (blocks: readonly SpeechBlock[]) =>
  blocks.flatMap(({ startedAt, spans }) => {
    const offset = Date.parse(startedAt) - start;
    return spans.map(({ from, to }) => ({ from: from + offset, to: to + offset }));
  });

describe('splitSpeech', () => {
  test('joins intervals that overlap or touch, in the order of time', () => {
    const times = [
      [5000, 6000],
      [0, 1000],
      [1000, 2000],
      [1500, 1800],
      [5500, 7000],
    ] as const;
    expect(splitSpeech(times.map(interval))).toEqual([
      {
        startedAt: timeOf(0),
        spans: [
          { from: 0, to: 2000 },
          { from: 5000, to: 7000 },
        ],
      },
    ]);
  });

  test('cuts at every hour after the first interval, and leaves hours without speech out', () => {
    const hour = maxBlockMs;
    const times = [
      [60_000, hour + 60_000 + 5],
      [3 * hour, 3 * hour + 1],
    ] as const;
    expect(splitSpeech(times.map(interval))).toEqual([
      { startedAt: timeOf(60_000), spans: [{ from: 0, to: hour }] },
      { startedAt: timeOf(60_000 + hour), spans: [{ from: 0, to: 5 }] },
      { startedAt: timeOf(60_000 + 2 * hour), spans: [{ from: hour - 60_000, to: hour - 60_000 + 1 }] },
    ]);
  });

  test('never loses or adds speech, and makes blocks of at most an hour', () => {
    const times = fc
      .tuple(fc.nat(speechLimits.spanMs), fc.nat(speechLimits.spanMs))
      .map(([one, other]): [number, number] => [Math.min(one, other), Math.max(one, other)]);
    const shorter = times.map(([from, to]): [number, number] => [from, from + ((to - from) % 90_000)]);
    fc.assert(
      fc.property(fc.array(fc.oneof(times, shorter, shorter), { minLength: 1, maxLength: 40 }), (all) => {
        const blocks = splitSpeech(all.map(interval));
        const spoken = all.map(([from, to]) => ({ from, to }));
        expect(joined(spansOf(blocks), 0)).toEqual(joined(spoken, 0));
        expect(blocks.length).toBeLessThanOrEqual(25);
        expect(new Set(blocks.map(({ startedAt }) => startedAt)).size).toBe(blocks.length);
        for (const span of blocks.flatMap(({ spans }) => spans)) {
          expect(span.from).toBeGreaterThanOrEqual(0);
          expect(span.to).toBeLessThanOrEqual(maxBlockMs);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('spokenTimes counts what several events tell of the same time once', () => {
  const of = (participantId: string, from: number, to: number) => ({ participantId, from, to });
  const all = [of('ann', 10, 20), of('bob', 0, 5), of('ann', 15, 30), of('ann', 40, 41), of('ann', 10, 20)];
  expect(spokenTimes(all)).toEqual(
    new Map([
      ['ann', 21],
      ['bob', 5],
    ]),
  );
  expect(spokenTimes([])).toEqual(new Map());
});
