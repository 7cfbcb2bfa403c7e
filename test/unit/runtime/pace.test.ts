import { expect, test } from 'vitest';
import { pace } from '#shared/runtime/pace.ts';

/** A pace of five calls a second, on a clock that only moves when a pause ends or the test says so. */
function scene() {
  const clock = { ms: 1_000_000 };
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  return { clock, pauses, next: pace(5, { now: () => clock.ms, pause }) };
}

test('the first call, and one after a quiet time, do not wait', async () => {
  const { clock, pauses, next } = scene();
  await next();
  clock.ms += 200;
  await next();
  clock.ms += 60_000;
  await next();
  expect(pauses).toEqual([]);
});

test('calls that come at the same time get turns that are evenly spaced', async () => {
  const { clock, pauses, next } = scene();
  await Promise.all([next(), next(), next()]);
  clock.ms += 450;
  await next();
  expect(pauses).toEqual([200, 400, 150]);
});
