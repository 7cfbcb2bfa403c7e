import { describe, expect, test } from 'vitest';
import type { UsageDay } from '../../../client/types.ts';
import { texts } from '../../../console/texts/en.ts';
import {
  costOf,
  formatCosts,
  groupUsage,
  pricesOf,
  sortGroups,
  sortOfGroups,
  totalOf,
  usageCsv,
  usageSeries,
} from '../../../console/views/insights/usage/usage-figures.ts';
import {
  daysOfMonth,
  everyDay,
  latestMonths,
  monthOf,
  periodOf,
} from '../../../console/views/insights/usage/usage-period.ts';
import { maxUsageDays } from '../../../shared/contracts/insights/usage-days.ts';
import { transcribeReadings } from '../../support/docs/prices.ts';

function row(day: string, roomName: string, changes: Partial<UsageDay> = {}): UsageDay {
  return {
    day,
    roomName,
    sessions: 1,
    participantMinutes: 10,
    recorderMinutes: 2,
    streamerMinutes: 3,
    transcriptions: 1,
    transcribedSeconds: 90,
    ...changes,
  };
}

const rows = [
  row('2026-03-01', '/b'),
  row('2026-03-01', '/a', { participantMinutes: 30 }),
  row('2026-03-03', '/b', { participantMinutes: 5 }),
];

describe('groups of usage', () => {
  test('add up the rooms of each day', () => {
    const days = groupUsage(rows, 'day');
    expect(days.map(({ key, participantMinutes }) => [key, participantMinutes])).toEqual([
      ['2026-03-01', 40],
      ['2026-03-03', 5],
    ]);
    expect(totalOf(days)).toEqual(totalOf(rows));
  });

  test('add up the days of each room, also of one that is named like a property of objects', () => {
    const rooms = groupUsage([...rows, row('2026-03-01', '__proto__')], 'room');
    expect(rooms.map(({ key, sessions }) => [key, sessions])).toEqual([
      ['/b', 2],
      ['/a', 1],
      ['__proto__', 1],
    ]);
  });

  test('are sorted by a figure, and equal ones by their key', () => {
    const keysBy = (sort: string) => sortGroups(groupUsage(rows, 'room'), sort).map(({ key }) => key);
    expect(keysBy('participantMinutes:desc')).toEqual(['/a', '/b']);
    expect(keysBy('participantMinutes:asc')).toEqual(['/b', '/a']);
    expect(
      sortGroups(groupUsage([row('2026-03-01', '/b'), row('2026-03-01', '/a')], 'room'), 'sessions:desc').map(
        ({ key }) => key,
      ),
    ).toEqual(['/a', '/b']);
  });

  test('have a usual order, which replaces one that does not exist', () => {
    expect(sortOfGroups(undefined, 'day')).toBe('key:desc');
    expect(sortOfGroups('cost:desc', 'room')).toBe('participantMinutes:desc');
    expect(sortOfGroups('transcriptions:asc', 'room')).toBe('transcriptions:asc');
  });

  test('have zeros in the chart on days without use', () => {
    const { x, series } = usageSeries(groupUsage(rows, 'day'), ['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(x[1]).toBe(Date.parse('2026-03-02') / 1000);
    expect(series[0]?.values).toEqual([40, 0, 5]);
  });

  test('become CSV with the estimated cost', () => {
    const [header, line] = usageCsv(groupUsage([row('2026-03-01', '=a,b')], 'room'), 'room', [0.02]);
    expect(header).toMatch(/^roomName,sessions,.*,estimatedRecognitionCost\r\n$/);
    expect(line).toBe(`"'=a,b",1,10,2,3,1,90,0.03\r\n`);
    const [both, costs] = usageCsv(groupUsage([row('2026-03-01', '/a')], 'room'), 'room', [0.006, 0.024]);
    expect(both).toMatch(/,estimatedRecognitionCostAt0.006,estimatedRecognitionCostAt0.024\r\n$/);
    expect(costs).toMatch(/,90,0.009,0.036\r\n$/);
  });
});

describe('the cost of recognition', () => {
  test('is shown for each price', () => {
    const hour = row('2026-03-01', '/a', { transcribedSeconds: 3600 });
    expect(formatCosts(hour, pricesOf(undefined))).toBe('$0.36 / $1.44');
  });

  test('has the list prices in the explanation of the field', () => {
    for (const price of pricesOf(undefined)) expect(texts.usage.priceHint).toContain(`$${price}`);
  });

  test('is the transcribed minutes times the price', () => {
    expect(costOf(row('2026-03-01', '/a', { transcribedSeconds: 3600 }), 0.024)).toBeCloseTo(1.44);
  });

  test('has both list prices, the lower one first, unless the address has a price', () => {
    expect(pricesOf('0.01')).toEqual([0.01]);
    expect(pricesOf('0')).toEqual([0]);
    const { flat, tiered } = transcribeReadings;
    const listed = [flat, tiered].map(({ tiers: [{ dollarsPerMinute }] }) => dollarsPerMinute);
    for (const text of [undefined, '', 'free', '-1']) expect(pricesOf(text)).toEqual(listed);
  });
});

describe('the period of usage', () => {
  const now = Date.parse('2026-03-15T23:30:00Z');

  test('is the current month by default, as the service has it', () => {
    expect(periodOf({}, now)).toEqual({ from: '2026-03-01', to: '2026-03-15' });
    expect(periodOf({ to: '2026-02-10' }, now)).toEqual({ from: '2026-02-01', to: '2026-02-10' });
  });

  test('of a month ends with it, or today', () => {
    expect(daysOfMonth('2024-02', now)).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(daysOfMonth('2026-03', now)).toEqual({ from: '2026-03-01', to: '2026-03-15' });
  });

  test('is recognized as a month', () => {
    expect(monthOf({ from: '2026-03-01', to: '2026-03-15' }, now)).toBe('2026-03');
    expect(monthOf({ from: '2026-03-01', to: '2026-03-31' }, now)).toBe('2026-03');
    expect(monthOf({ from: '2026-03-01', to: '2026-03-14' }, now)).toBeUndefined();
    expect(monthOf({ from: '2026-02-02', to: '2026-02-28' }, now)).toBeUndefined();
  });

  test('can be one of the latest months', () => {
    expect(latestMonths(now, 4)).toEqual(['2026-03', '2026-02', '2026-01', '2025-12']);
  });

  test('has every day, unless the service refuses it', () => {
    expect(everyDay({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(everyDay({ from: '2026-01-01', to: '2027-01-01' })).toHaveLength(maxUsageDays);
    expect(everyDay({ from: '2026-01-01', to: '2027-01-02' })).toEqual([]);
    expect(everyDay({ from: '2026-03-02', to: '2026-03-01' })).toEqual([]);
    expect(everyDay({ from: 'never', to: '2026-03-01' })).toEqual([]);
  });
});
