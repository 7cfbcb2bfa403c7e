import { describe, expect, test } from 'vitest';
import { dayOf, endOfDay, instantOfMinute, lastDayBefore, minuteOf, startOfDay } from '../../../console/parts/days.ts';

describe('days of a period', () => {
  test('begin and end at midnight of UTC', () => {
    expect(startOfDay('2026-02-28', 'utc')).toBe('2026-02-28T00:00:00.000Z');
    expect(endOfDay('2026-02-28', 'utc')).toBe('2026-03-01T00:00:00.000Z');
  });

  test('come back as they were given, in either zone', () => {
    for (const zone of ['utc', 'local'] as const) {
      expect(dayOf(startOfDay('2026-03-29', zone), zone)).toBe('2026-03-29');
      expect(lastDayBefore(endOfDay('2026-10-25', zone), zone)).toBe('2026-10-25');
    }
  });

  test('are not read from other texts', () => {
    expect(startOfDay('', 'utc')).toBeUndefined();
    expect(endOfDay('yesterday', 'local')).toBeUndefined();
    expect(dayOf('yesterday', 'utc')).toBe('');
    expect(lastDayBefore(undefined, 'utc')).toBe('');
  });
});

describe('minutes of fields', () => {
  test('are those of UTC', () => {
    expect(minuteOf('2026-03-01T09:30:59.999Z', 'utc')).toBe('2026-03-01T09:30');
    expect(instantOfMinute('2026-03-01T09:30', 'utc')).toBe('2026-03-01T09:30:00.000Z');
  });

  test("come back as they were given in the reader's zone", () => {
    expect(minuteOf(instantOfMinute('2026-07-01T23:05', 'local'), 'local')).toBe('2026-07-01T23:05');
  });

  test('are not read from other texts', () => {
    expect(instantOfMinute('', 'utc')).toBeUndefined();
    expect(minuteOf(undefined, 'local')).toBe('');
  });
});
