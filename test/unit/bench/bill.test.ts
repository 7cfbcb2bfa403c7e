import { describe, expect, test } from 'vitest';
import { billOfUse, dollarsOfUse, sumOfUses, times, transcribeDollars, withoutLogs } from '../../bench/cost/bill.ts';
import { type PriceName, prices, transcribeReadings } from '../../support/docs/prices.ts';

describe('a use', () => {
  test('is priced by the units of each price', () => {
    expect(dollarsOfUse({ lambdaRequests: 1_000_000, s3Puts: 1_000, s3KeptGb: 2 })).toBeCloseTo(
      0.2 + 0.005 + 0.046,
      12,
    );
    expect(dollarsOfUse({})).toBe(0);
  });

  test('adds up, and is multiplied', () => {
    const sum = sumOfUses({ sqsRequests: 3 }, times(4, { sqsRequests: 1, dynamodbReads: 0.5 }));
    expect(sum).toEqual({ sqsRequests: 7, dynamodbReads: 2 });
  });

  test('can leave out logs', () => {
    expect(withoutLogs({ logsWrittenGb: 1, logsKeptGb: 1, dynamodbWrites: 1 })).toEqual({ dynamodbWrites: 1 });
  });
});

describe('a bill', () => {
  test('has the lines of what is used', () => {
    const bill = billOfUse({ dynamodbKeptGb: 10, dynamodbRecoveryGb: 10, sqsRequests: 1_000_000 });
    expect(bill.map(({ name, dollars }) => [name, dollars.toFixed(2)])).toEqual([
      ['DynamoDB, kept, with recovery', '4.50'],
      ['SQS', '0.40'],
    ]);
  });

  test('has each price in exactly one line', () => {
    const names = Object.keys(prices) as PriceName[];
    const one = Object.fromEntries(names.map((name) => [name, 1]));
    const ofLines = billOfUse(one).reduce((sum, { dollars }) => sum + dollars, 0);
    expect(ofLines).toBeCloseTo(dollarsOfUse(one), 9);
    for (const name of names) expect(billOfUse({ [name]: 1 }), name).toHaveLength(1);
  });
});

describe('the minutes of Transcribe in a month', () => {
  const { tiered, flat } = transcribeReadings;

  test.each([
    [0, 0],
    [1_000, 24],
    [250_000, 6_000],
    [250_001, 6_000.015],
    [1_000_000, 6_000 + 11_250],
    [6_000_000, 6_000 + 11_250 + 40_800 + 7_800],
  ])('cost less in each tier: %i cost %f', (minutes, dollars) => {
    expect(transcribeDollars(tiered, minutes)).toBeCloseTo(dollars, 6);
  });

  test('cost the same by the flat reading', () => {
    expect(transcribeDollars(flat, 1_000)).toBeCloseTo(6, 9);
    expect(transcribeDollars(flat, 6_000_000)).toBeCloseTo(36_000, 6);
  });
});
