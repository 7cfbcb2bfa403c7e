import { describe, expect, test } from 'vitest';
import {
  type Failing,
  failingAfter,
  hasFailedForDays,
  isParked,
  isProbed,
} from '#shared/domain/webhooks/webhook-parking.ts';

const start = new Date('2026-03-01T10:00:00.000Z');
const later = (seconds: number, from = start) => new Date(from.getTime() + seconds * 1_000);
const failure = { succeeded: false, answerCode: 500 };
const success = { succeeded: true, answerCode: 200 };
const next = (failing: Failing, attempted: Parameters<typeof failingAfter>[1], now = start, random = 0.5) =>
  failingAfter(failing, attempted, now, random);

test('the third failure in a row parks a webhook, and not the second', () => {
  const second = next(next({}, failure), failure, later(1));
  expect(second).toEqual({ failingSince: start.toISOString(), failuresInARow: 2 });
  expect(isProbed(second)).toBe(false);
  const third = next(second, failure, later(2));
  expect(third).toMatchObject({ failuresInARow: 3, parkings: 1, parkedUntil: later(32).toISOString() });
  expect(isParked(third, later(31))).toBe(true);
  expect(isParked(third, later(32))).toBe(false);
  expect(isProbed(third)).toBe(true);
});

test('a success between failures starts the count again', () => {
  const failing = next(next(next({}, failure), failure), success);
  expect(failing).toEqual({});
  expect(next(next(failing, failure), failure).parkedUntil).toBeUndefined();
});

test('each failed probe parks for longer, up to an hour, and a success ends it', () => {
  let [failing, now]: [Failing, Date] = [next(next({}, failure), failure), start];
  const seconds: number[] = [];
  for (let probe = 0; probe < 10; probe++) {
    failing = next(failing, failure, now);
    seconds.push((Date.parse(failing.parkedUntil ?? '') - now.getTime()) / 1_000);
    now = new Date(failing.parkedUntil ?? '');
  }
  expect(seconds).toEqual([30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 3_600, 3_600]);
  expect(failing.failingSince).toBe(start.toISOString());
  expect(next(failing, success, now)).toEqual({});
});

test('calls that were under way when the webhook was parked do not prolong it', () => {
  const parked = next(next(next({}, failure), failure), failure);
  const again = next(parked, failure, later(5));
  expect(again).toEqual({ ...parked, failuresInARow: 4 });
});

describe('a busy receiver', () => {
  const busy = (answerCode: number, retryAfterSeconds?: number) => ({
    succeeded: false,
    answerCode,
    retryAfterSeconds,
  });

  test.each([429, 503])('that answers %i and names a time is parked at once for that long', (status) => {
    expect(next({}, busy(status, 90))).toMatchObject({ failuresInARow: 1, parkedUntil: later(90).toISOString() });
  });

  test('is parked at once for at least the first parking, and for a day at most', () => {
    expect(next({}, busy(429, 1)).parkedUntil).toBe(later(30).toISOString());
    expect(next({}, busy(429, 1e9)).parkedUntil).toBe(later(24 * 3_600).toISOString());
  });

  test('that names no time, or another status, is parked like others', () => {
    expect(next({}, busy(429)).parkedUntil).toBeUndefined();
    expect(next({}, busy(500, 90)).parkedUntil).toBeUndefined();
  });

  test('that asks for longer while it is parked is parked for longer', () => {
    const parked = next(next(next({}, failure), failure), failure);
    expect(next(parked, busy(503, 300), later(1)).parkedUntil).toBe(later(301).toISOString());
    expect(next(parked, busy(503, 5), later(1)).parkedUntil).toBe(parked.parkedUntil);
  });
});

test('a webhook has failed for days since its first failure after a success', () => {
  const days = 5;
  const at = (seconds: number) => hasFailedForDays({ failingSince: start.toISOString() }, days, later(seconds));
  expect([at(5 * 86_400 - 1), at(5 * 86_400)]).toEqual([false, true]);
  expect(hasFailedForDays({}, days, later(1e9))).toBe(false);
});
