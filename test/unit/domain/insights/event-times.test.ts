import { expect, test } from 'vitest';
import { refuseFarTimes } from '#shared/domain/insights/event-times.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';

const bounds = { daysAhead: 1, daysBack: 365 };
const arrivedAt = new Date('2026-11-22T12:00:00.000Z');
const near = '2026-11-22T11:59:00.000Z';

function issuesOf(createdAt: string, data: object = {}): readonly string[] {
  try {
    refuseFarTimes({ createdAt, data }, arrivedAt, bounds);
    return [];
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    return error.issues.map(({ path, message }) => `${path} ${message}`);
  }
}

test.each([
  ['2026-11-23T12:00:00.000Z', '2026-11-23T12:00:00.001Z', 'must be at most 1 days after it was sent'],
  ['2025-11-22T12:00:00.000Z', '2025-11-22T11:59:59.999Z', 'must be at most 365 days before it was sent'],
])('an event of %s is accepted, and one of %s refused', (last, beyond, message) => {
  expect(issuesOf(last)).toEqual([]);
  expect(issuesOf(beyond)).toEqual([`createdAt ${message}`]);
  for (const name of ['startDate', 'endDate', 'startedAt']) {
    expect(issuesOf(near, { [name]: last })).toEqual([]);
    expect(issuesOf(near, { [name]: beyond })).toEqual([`data.${name} ${message}`]);
    const tracks = [{ [name]: last }, { [name]: beyond }];
    expect(issuesOf(near, { tracks })).toEqual([`data.tracks.1.${name} ${message}`]);
  }
  for (const name of ['from', 'to']) {
    const intervals = [{ [name]: last }, { [name]: beyond }];
    expect(issuesOf(near, { intervals })).toEqual([`data.intervals.1.${name} ${message}`]);
  }
});

test('of many far times, the first are named', () => {
  const intervals = Array(1000).fill({ from: '2000-01-01T00:00:00.000Z', to: '2000-01-01T00:00:00.000Z' });
  expect(issuesOf(near, { intervals })).toHaveLength(20);
});

test('a room may close at any time', () => {
  expect(issuesOf(near, { endAt: '9998-01-01T00:00:00.000Z' })).toEqual([]);
});

test('an inferred end may be long ago, but not ahead', () => {
  const end = { type: 'room.session.ended', data: {} };
  const check = (event: object, createdAt: string) => () =>
    refuseFarTimes({ ...end, ...event, createdAt }, arrivedAt, bounds);
  expect(check({ inferred: true }, '2020-01-01T00:00:00.000Z')).not.toThrow();
  expect(check({}, '2020-01-01T00:00:00.000Z')).toThrow(UnreadableMessage);
  expect(check({ inferred: true, type: 'room.client.left' }, '2020-01-01T00:00:00.000Z')).toThrow(UnreadableMessage);
  expect(check({ inferred: true }, '2026-12-01T00:00:00.000Z')).toThrow(UnreadableMessage);
});
