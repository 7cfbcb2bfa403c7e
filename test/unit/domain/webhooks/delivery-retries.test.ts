import { describe, expect, test } from 'vitest';
import { jittered, nextAttemptAfter } from '#shared/domain/webhooks/delivery-retries.ts';

const plannedAt = '2026-03-01T10:00:00.000Z';
const planned = Date.parse(plannedAt);
const hour = 3_600_000;

/** The times of all attempts of a delivery that never succeeds, in seconds after it was planned. */
function attemptTimes({ random = 0.5, retryAfterSeconds = undefined as number | undefined } = {}): number[] {
  const times = [0];
  for (;;) {
    const now = new Date(planned + Number(times.at(-1)) * 1_000);
    const upcoming = nextAttemptAfter({ attempts: times.length, plannedAt }, { now, random, retryAfterSeconds });
    if (!upcoming) return times;
    times.push((upcoming.getTime() - planned) / 1_000);
  }
}

const pausesOf = (times: readonly number[]) => times.slice(1).map((time, index) => time - Number(times[index]));

test('pauses grow from seconds to half a day, and the last attempt is after 72 hours', () => {
  const times = attemptTimes();
  const pauses = pausesOf(times);
  expect(pauses.slice(0, 11)).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 28_800, 43_200]);
  expect(pauses.slice(11, -1).every((pause) => pause === 43_200)).toBe(true);
  expect(times.at(-1)).toBe(72 * 3_600);
  expect(times.length).toBeGreaterThan(12);
});

test.each([0, 0.999_999])('with the random value %d, each pause differs by a fifth at most', (random) => {
  const [usual, moved] = [pausesOf(attemptTimes()), pausesOf(attemptTimes({ random }))];
  for (const [index, pause] of moved.slice(0, 11).entries()) {
    expect(Math.abs(pause - Number(usual[index])) / Number(usual[index])).toBeLessThanOrEqual(0.2 + 1e-6);
    expect(pause).not.toBe(usual[index]);
  }
  expect(attemptTimes({ random }).at(-1)).toBe(72 * 3_600);
});

test('pauses are spread evenly around their length', () => {
  expect([0, 0.5, 1].map((random) => jittered(1_000, random))).toEqual([800, 1_000, 1_200]);
});

describe('Retry-After', () => {
  const next = (attempts: number, retryAfterSeconds: number, now = planned) =>
    (Number(nextAttemptAfter({ attempts, plannedAt }, { now: new Date(now), random: 0.5, retryAfterSeconds })) - now) /
    1_000;

  test('counts if it is longer than the pause', () => {
    expect(next(1, 3)).toBe(5);
    expect(next(1, 60)).toBe(60);
    expect(next(8, 60)).toBe(14_400);
  });

  test('counts for a day at most, and never past the 72 hours', () => {
    expect(next(1, 1e9)).toBe(24 * 3_600);
    expect(next(5, 1e9, planned + 60 * hour)).toBe(12 * 3_600);
  });
});

test('an attempt at 72 hours or later is the last one', () => {
  const at = (ms: number) => nextAttemptAfter({ attempts: 3, plannedAt }, { now: new Date(planned + ms), random: 0.5 });
  expect(at(72 * hour - 1)).toEqual(new Date(planned + 72 * hour));
  expect(at(72 * hour)).toBeUndefined();
  expect(at(100 * hour)).toBeUndefined();
});
