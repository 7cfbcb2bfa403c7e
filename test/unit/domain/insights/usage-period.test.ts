import { describe, expect, test } from 'vitest';
import { daysOf, usagePeriod } from '#shared/domain/insights/usage-period.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';

const now = new Date('2026-03-15T23:59:59.999Z');

describe('the period of usage', () => {
  test.each([
    [{}, { from: '2026-03-01', to: '2026-03-15' }],
    [{ from: '2026-01-31' }, { from: '2026-01-31', to: '2026-03-15' }],
    [{ to: '2026-01-31' }, { from: '2026-01-01', to: '2026-01-31' }],
    [
      { from: '2026-03-15', to: '2026-03-15' },
      { from: '2026-03-15', to: '2026-03-15' },
    ],
    [
      { from: '2024-01-01', to: '2024-12-31' },
      { from: '2024-01-01', to: '2024-12-31' },
    ],
  ])('of %j is %j', (query, period) => {
    expect(usagePeriod(query, now)).toEqual(period);
  });

  test.each([
    ['backwards', { from: '2026-03-16' }, 'must not be after to, which is 2026-03-15'],
    [
      'longer than 366 days',
      { from: '2025-01-01', to: '2026-01-02' },
      'must be at most 365 days before to, which is 2026-01-02',
    ],
  ])('that is %s is refused', (_what, query, message) => {
    const refusal = new InvalidRequest([{ path: 'from', message }]);
    expect(() => usagePeriod(query, now)).toThrow(refusal);
  });

  test('has all of its days, across months and leap days', () => {
    expect(daysOf({ from: '2024-02-28', to: '2024-03-01' })).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    expect(daysOf({ from: '2024-01-01', to: '2024-12-31' })).toHaveLength(366);
  });
});
