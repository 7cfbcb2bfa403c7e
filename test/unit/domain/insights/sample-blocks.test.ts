import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleSeries } from '#shared/contracts/insights/insights.ts';
import type { SampleBlock } from '#shared/contracts/insights/network-samples.ts';
import { maxBlock, participantDetails, splitIntoBlocks } from '#shared/domain/insights/network-series.ts';
import { block } from '../../../support/insights/network-samples.ts';
import { joined, later } from '../../../support/insights/session-facts.ts';

const nine = '09:00';
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
/** Each block's start in milliseconds after the first sample, and its number of samples. */
const partsOf = (blocks: readonly SampleBlock[]) =>
  blocks.map(({ startedAt, bitrateSend }) => [Date.parse(startedAt) - Date.parse(later(nine, 0)), bitrateSend.length]);
const partsOfMany = (count: number, rateMs: number) => partsOf(splitIntoBlocks(block(nine, numbers(count), rateMs)));

describe('splitIntoBlocks', () => {
  test.each([
    [1, 2000],
    [30, 2000],
    [1800, 2000],
    [1800, 100],
    [1, 3_600_000],
    [2, 1_800_000],
    [1, 3_599_999],
  ])('keeps %d samples taken every %d ms in one block', (count, rateMs) => {
    const whole = block(nine, numbers(count), rateMs);
    expect(splitIntoBlocks(whole)).toEqual([whole]);
  });

  test.each([
    [
      1801,
      2000,
      [
        [0, 1800],
        [3_600_000, 1],
      ],
    ],
    [
      4000,
      100,
      [
        [0, 1800],
        [180_000, 1800],
        [360_000, 400],
      ],
    ],
    [
      1801,
      2001,
      [
        [0, 1799],
        [3_599_799, 2],
      ],
    ],
    [
      3,
      1_800_000,
      [
        [0, 2],
        [3_600_000, 1],
      ],
    ],
    [
      3,
      1_800_001,
      [
        [0, 1],
        [1_800_001, 1],
        [3_600_002, 1],
      ],
    ],
    [
      2,
      3_600_000,
      [
        [0, 1],
        [3_600_000, 1],
      ],
    ],
  ])('splits %d samples taken every %d ms into blocks of at most an hour and 1,800 samples', (count, rateMs, parts) => {
    expect(partsOfMany(count, rateMs)).toEqual(parts);
  });

  test('keeps every sample of the longest possible message', () => {
    expect(partsOfMany(43_200, 2000)).toHaveLength(24);
    expect(partsOfMany(43_200, 100)).toHaveLength(24);
    expect(splitIntoBlocks(block(nine, numbers(500), 3_600_000))).toHaveLength(500);
  });
});

const samples = fc
  .record({ count: fc.integer({ min: 1, max: 6000 }), rateMs: fc.integer({ min: 100, max: 3_600_000 }) })
  .map(({ count, rateMs }): SampleBlock => {
    const [first, second] = [numbers(count), numbers(count).map((value) => -value)];
    return { ...block(nine, first, rateMs), packetLossSend: second, bitrateRecv: [...first.slice(1), null] };
  });

test('splitIntoBlocks never loses, moves or mixes samples', () => {
  fc.assert(
    fc.property(samples, (whole) => {
      const blocks = splitIntoBlocks(whole);
      for (const name of sampleSeries) expect(blocks.flatMap((part) => part[name])).toEqual(whole[name]);
      let seen = 0;
      for (const { startedAt, sampleRateMs, packetLossSend } of blocks) {
        expect(Date.parse(startedAt)).toBe(Date.parse(whole.startedAt) + seen * sampleRateMs);
        expect(packetLossSend.length).toBeLessThanOrEqual(maxBlock.samples);
        expect((packetLossSend.length - 1) * sampleRateMs).toBeLessThan(maxBlock.lengthMs);
        seen += packetLossSend.length;
      }
    }),
    { numRuns: 50 },
  );
});

test('samples in several blocks give the same series as samples in one', () => {
  const whole = block(nine, numbers(5000), 2000);
  const connection = { joined: joined('ann', nine), events: [] };
  const detailOf = (blocks: readonly SampleBlock[]) => participantDetails([connection], blocks, {}, 2000);
  expect(detailOf(splitIntoBlocks(whole))).toEqual(detailOf([whole]));
});

test('the largest block is well below the 400 KB limit of a DynamoDB item', () => {
  const longest = 123_456_789_012.3456; // the most digits that the contract allows
  const [first] = splitIntoBlocks(block(nine, Array(1800).fill(longest), 2000));
  expect(JSON.stringify(first).length).toBeLessThan(200_000);
});
