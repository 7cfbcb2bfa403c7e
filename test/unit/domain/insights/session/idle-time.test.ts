import { expect, test } from 'vitest';
import { idleFromOf, nextIdleFrom } from '#shared/domain/insights/session/idle-time.ts';

const open = { startedAt: '2026-03-02T09:00:00.000Z', endedAt: null, asOf: '2026-03-02T09:10:00.000Z' };

test('an open session is due at the next whole hour after the hours of the stage', () => {
  expect(idleFromOf(open, 1)).toBe('2026-03-02T11:00:00.000Z');
  expect(idleFromOf(open, 720)).toBe('2026-04-01T10:00:00.000Z');
  expect(idleFromOf({ ...open, asOf: null }, 1), 'from its start, without an event').toBe('2026-03-02T10:00:00.000Z');
  expect(idleFromOf({ ...open, asOf: '2026-03-02T09:00:00.001Z' }, 1)).toBe('2026-03-02T11:00:00.000Z');
});

test('a session is never due in a stage that closes none, if it is not shown, or if it has ended', () => {
  expect(idleFromOf(open, undefined)).toBeUndefined();
  expect(idleFromOf({ ...open, startedAt: null }, 1)).toBeUndefined();
  expect(idleFromOf({ ...open, endedAt: '2026-03-02T09:10:00.000Z' }, 1)).toBeUndefined();
});

test('a session whose end does not arrive is due again after twice the time, at a whole hour', () => {
  expect(nextIdleFrom(open.asOf, new Date('2026-03-02T11:00:00.000Z'))).toBe('2026-03-02T13:00:00.000Z');
  expect(nextIdleFrom(open.asOf, new Date('2026-03-04T09:10:00.000Z'))).toBe('2026-03-06T10:00:00.000Z');
  expect(nextIdleFrom(open.asOf, new Date('2026-03-02T09:00:00.000Z')), 'with a clock that is behind').toBe(
    '2026-03-02T10:00:00.000Z',
  );
});
