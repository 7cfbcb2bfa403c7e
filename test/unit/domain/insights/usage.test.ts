import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minus, noUsage, noVisitors, plus, totalsOf, type Usage } from '#shared/domain/insights/usage.ts';

const count = fc.nat(1_000_000);
const usages: fc.Arbitrary<Usage> = fc.record({
  participantMinutes: count,
  recorderMinutes: count,
  streamerMinutes: count,
  ratingThousandths: count,
  ratings: count,
});

test('adding and then subtracting usage gives the original usage', () => {
  fc.assert(
    fc.property(usages, usages, (one, other) => {
      expect(minus(plus(one, other), other)).toEqual(one);
      expect(plus(one, other)).toEqual(plus(other, one));
      expect(plus(one, noUsage)).toEqual(one);
      expect(minus(one, one)).toEqual(noUsage);
    }),
  );
});

test('each field of a usage is added separately', () => {
  const primes = { participantMinutes: 2, recorderMinutes: 3, streamerMinutes: 5, ratingThousandths: 7, ratings: 11 };
  const tens = { participantMinutes: 10, recorderMinutes: 20, streamerMinutes: 30, ratingThousandths: 40, ratings: 50 };
  expect(plus(primes, tens)).toEqual({
    ...{ participantMinutes: 12, recorderMinutes: 23, streamerMinutes: 35, ratingThousandths: 47, ratings: 61 },
  });
  expect(minus(tens, primes)).toEqual({
    ...{ participantMinutes: 8, recorderMinutes: 17, streamerMinutes: 25, ratingThousandths: 33, ratings: 39 },
  });
});

test('totals have the field names of the contract', () => {
  const usage = { participantMinutes: 1, recorderMinutes: 2, streamerMinutes: 3, ratingThousandths: 9000, ratings: 2 };
  expect(totalsOf({ usage, visitors: { participant: 4, recorder: 5, streamer: 6 } })).toEqual({
    totalParticipantMinutes: 1,
    totalRecorderMinutes: 2,
    totalStreamerMinutes: 3,
    totalUniqueParticipants: 4,
    totalUniqueRecorders: 5,
    totalUniqueStreamers: 6,
    rating: 4.5,
    totalRatings: 2,
  });
});

test.each([
  [0, 0, null],
  [1000, 1, 1],
  [13_000, 3, 13 / 3],
  [4999, 1, 4.999],
])(
  'the average of ratings with a sum of %d thousandths and a count of %d is %j',
  (ratingThousandths, ratings, rating) => {
    expect(totalsOf({ usage: { ...noUsage, ratingThousandths, ratings }, visitors: noVisitors })).toMatchObject({
      rating,
      totalRatings: ratings,
    });
  },
);
