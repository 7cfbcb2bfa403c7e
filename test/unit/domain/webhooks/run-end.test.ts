import { expect, test } from 'vitest';
import { followUpOf, type RunFindings } from '#shared/domain/webhooks/run-end.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString();
const followUp = (found: Partial<RunFindings>) =>
  followUpOf(
    { failing: {}, nextDueAt: undefined, hasTried: false, mayHaveMissed: false, lookAgainAt: undefined, ...found },
    now,
  );

test('nothing follows a run that made nothing and missed nothing', () => {
  expect(followUp({})).toEqual({});
});

test('a run that may have missed a delivery is followed by one that looks again, when the index shows all', () => {
  expect(followUp({ hasTried: true, mayHaveMissed: true })).toEqual({ dueAt: later(120), lookAgainAt: later(120) });
});

test('a run in between that finds nothing does not replace the one that looks again', () => {
  expect(followUp({ lookAgainAt: later(50) })).toEqual({ dueAt: later(50), lookAgainAt: later(50) });
  expect(followUp({ lookAgainAt: later(50), nextDueAt: later(20) })).toEqual({
    dueAt: later(20),
    lookAgainAt: later(50),
  });
  expect(followUp({ lookAgainAt: later(0) }), 'this run has looked').toEqual({});
});

test('what is due is asked for at once, and again by the sweep if the message is lost', () => {
  expect(followUp({ nextDueAt: later(-10) })).toEqual({ delaySeconds: 0, dueAt: later(30) });
});

test.each([
  [5, 5, 35],
  [900, 900, 930],
  [901, undefined, 901],
])(
  'a delivery that is due in %i seconds is asked for by a message after %s, and by the sweep after %i',
  (...values) => {
    const [seconds, delaySeconds, sweptSeconds] = values;
    const found = followUp({ hasTried: true, nextDueAt: later(seconds) });
    expect(found).toEqual({ delaySeconds, dueAt: later(sweptSeconds) });
  },
);

test('a run that made nothing sends no message for later, because the run that set the time has', () => {
  expect(followUp({ nextDueAt: later(5) })).toEqual({ delaySeconds: undefined, dueAt: later(5) });
});

test('a parked webhook is due when it is not parked any more, even if nothing waits and also if something waits longer', () => {
  const failing = { parkedUntil: later(60), parkings: 1 };
  expect(followUp({ failing, hasTried: true })).toEqual({ delaySeconds: 60, dueAt: later(90) });
  expect(followUp({ failing, hasTried: true, nextDueAt: later(-5) }).delaySeconds).toBe(60);
  expect(followUp({ failing, hasTried: true, nextDueAt: later(300) }).delaySeconds).toBe(300);
  expect(followUp({ failing: { parkedUntil: later(0) }, nextDueAt: later(0) }).delaySeconds).toBe(0);
});
