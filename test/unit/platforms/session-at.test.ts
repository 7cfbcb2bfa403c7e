import { describe, expect, test } from 'vitest';
import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { concerns, sessionAt, type Tolerances } from '#shared/platforms/session-at.ts';

const start = Date.parse('2026-03-02T09:00:00.000Z');
const iso = (second: number) => new Date(start + second * 1000).toISOString();
const session = (from: number, to: number | null, count?: readonly [at: number, clients: number]): PlatformSession => ({
  ...{ roomName: '/standup', sessionId: `of ${from}`, startedAt: iso(from), endedAt: to === null ? null : iso(to) },
  ...(count && { lastCount: { at: iso(count[0]), clients: count[1] } }),
});

/** The name of the session at a time, with a question mark if it takes the webhook only after a while. */
function at(second: number, sessions: readonly PlatformSession[], tolerances: Tolerances = {}): string | undefined {
  const { session: now, mayBe } = sessionAt({ sessions }, iso(second), tolerances);
  const { session: later } = sessionAt({ sessions, hasWaited: true }, iso(second), tolerances);
  expect(later).toEqual(now ?? mayBe);
  for (const order of [sessions.toReversed(), sessions])
    expect(sessionAt({ sessions: order }, iso(second), tolerances)).toEqual(
      now ? { session: now } : mayBe ? { mayBe } : {},
    );
  return now?.sessionId ?? (mayBe && `${mayBe.sessionId}?`);
}

describe('the session at a time', () => {
  test.each([
    ['before any', -6, undefined],
    ['a little before it starts', -5, 'of 0'],
    ['within it', 50, 'of 0'],
    ['at its end', 100, 'of 0'],
    ['after its end', 101, undefined],
    ['a little before the next one', 195, 'of 200'],
    ['within the next one', 200, 'of 200'],
  ])('that is known from start to end: %s', (_, second, expected) => {
    expect(at(second, [session(0, 100), session(200, 300)])).toBe(expected);
  });

  test('of leaves and ends can be over for some seconds, unless the next one has started', () => {
    expect(at(104, [session(0, 100)], { lateMs: 5000 })).toBe('of 0');
    expect(at(104, [session(0, 100), session(103, 200)], { lateMs: 5000 })).toBe('of 103');
    expect(at(102, [session(0, 100), session(103, 200)], { lateMs: 5000 })).toBe('of 0');
  });

  test('has a larger tolerance for clocks that differ more', () => {
    expect(at(-60, [session(0, 100)], { earlyMs: 60_000 })).toBe('of 0');
    expect(at(99, [session(0, 98), session(120, 200), session(140, 300)], { earlyMs: 60_000 })).toBe('of 120');
  });

  test('is open: certain at its beginning, and not for long', () => {
    expect(at(60, [session(0, null)])).toBe('of 0');
    expect(at(61, [session(0, null)])).toBe('of 0?');
    expect(at(86_400, [session(0, null)])).toBe('of 0?');
    expect(at(86_401, [session(0, null)])).toBeUndefined();
  });

  test('is open: certain until clients were counted', () => {
    expect(at(1005, [session(0, null, [1000, 2])])).toBe('of 0');
    expect(at(1006, [session(0, null, [1000, 2])])).toBe('of 0?');
  });

  test('is open, and everybody has left: over, but its leaves and its end can come for a while', () => {
    expect(at(30, [session(0, null, [30, 0])])).toBe('of 0');
    expect(at(31, [session(0, null, [30, 0])])).toBeUndefined();
    expect(at(35, [session(0, null, [30, 0])], { lateMs: 5000 })).toBe('of 0');
    expect(at(90, [session(0, null, [30, 0])], { lateMs: 5000 })).toBe('of 0?');
    expect(at(91, [session(0, null, [30, 0])], { lateMs: 5000 })).toBeUndefined();
  });

  test('is open: over when another one has started, or is about to', () => {
    expect(at(500, [session(0, null), session(200, 300)])).toBeUndefined();
    expect(at(30, [session(0, null), session(10, 20)])).toBeUndefined();
    expect(at(600, [session(0, null), session(605, null)])).toBe('of 605');
    expect(at(599, [session(0, null), session(605, null)])).toBe('of 0?');
    expect(at(600, [session(0, null, [600, 3]), session(605, null)])).toBe('of 0');
  });
});

test('news of a session concerns the times that can be its own', () => {
  const of = (second: number, end: number | null) => concerns(session(1000, end), iso(second));
  expect([939, 940, 1000, 2060, 2061].map((second) => of(second, 2000))).toEqual([false, true, true, true, false]);
  expect(of(999_999, null)).toBe(true);
});
