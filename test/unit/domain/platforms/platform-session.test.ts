import { describe, expect, test } from 'vitest';
import { isNear } from '#shared/domain/platforms/platform-session.ts';

const bounds = { daysAhead: 1, daysBack: 365 };
const arrivedAt = new Date('2026-11-23T09:00:00.000Z');
const dayMs = 24 * 60 * 60 * 1000;
const at = (days: number, ms = 0) => new Date(arrivedAt.getTime() + days * dayMs + ms).toISOString();
const near = (startedAt: string, endedAt: string | null) => isNear({ startedAt, endedAt }, arrivedAt, bounds);

describe('a session can be remembered', () => {
  test.each([
    ['that starts as far ahead as an event may', at(1), null],
    ['that starts as long ago as an event may', at(-365), null],
    ['that starts and ends as far ahead as events may', at(1), at(1)],
    ['that starts and ends as long ago as events may', at(-365), at(-365)],
    ['that takes the whole time of events', at(-365), at(1)],
    ['that ends when it starts', at(0), at(0)],
  ])('%s', (_what, startedAt, endedAt) => {
    expect(near(startedAt, endedAt)).toBe(true);
  });
});

describe('a session cannot be remembered', () => {
  test.each([
    ['that starts further ahead', at(1, 1), null],
    ['that starts longer ago', at(-365, -1), null],
    ['that starts further ahead, and ends now', at(1, 1), at(0)],
    ['that starts and ends further ahead', at(2), at(3)],
    ['that ends further ahead', at(0), at(1, 1)],
    ['that ends longer ago', at(0), at(-365, -1)],
    ['that ends before it starts', at(0), at(0, -1)],
    ['that starts at no time', 'never', null],
    ['that ends at no time', at(0), 'never'],
  ])('%s', (_what, startedAt, endedAt) => {
    expect(near(startedAt, endedAt)).toBe(false);
  });
});
