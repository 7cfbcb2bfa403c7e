import fc from 'fast-check';
import { expect, test } from 'vitest';
import { busyPauseSeconds, deadlines } from '#shared/domain/transcriptions/deadlines.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const minutesAfter = (instant: string) => (Date.parse(instant) - now.getTime()) / 60_000;

test('every deadline is in the future and in a format that sorts as text', () => {
  fc.assert(
    fc.property(fc.nat(900), fc.nat(14_400), (pauseSeconds, recordingSeconds) => {
      const questions = [
        deadlines.jobStart(now),
        deadlines.jobStartAfterPause(now, pauseSeconds),
        deadlines.jobEnd(now, recordingSeconds),
        deadlines.nextQuestion(now, now),
        deadlines.liveEnd(now),
      ];
      for (const question of questions) {
        expect(minutesAfter(question)).toBeGreaterThan(0);
        expect(new Date(question).toISOString()).toBe(question);
      }
    }),
  );
});

test('checks become rarer with age: the interval is a quarter of the age', () => {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  expect(minutesAfter(deadlines.nextQuestion(now, now))).toBe(5);
  expect(minutesAfter(deadlines.nextQuestion(now, hoursAgo(8)))).toBe(120);
});

test('a job that waits for Transcribe is not checked before its message can have arrived', () => {
  fc.assert(
    fc.property(fc.nat(900), (pauseSeconds) => {
      expect(minutesAfter(deadlines.jobStartAfterPause(now, pauseSeconds))).toBeGreaterThan(pauseSeconds / 60);
    }),
  );
});

test('the deadline of a job is later than the length of its recording, and of a live session 48 hours', () => {
  expect(minutesAfter(deadlines.jobEnd(now, 4 * 60 * 60))).toBeGreaterThan(4 * 60);
  expect(minutesAfter(deadlines.liveEnd(now))).toBe(48 * 60);
});

test.each([
  [false, 24, false],
  [false, 24.001, true],
  [true, 24.001, false],
  [true, 72, false],
  [true, 72.001, true],
])('isGivenUp (job has ended: %s) %d hours after creation is %s', (jobHasEnded, hours, isGivenUp) => {
  const later = new Date(now.getTime() + hours * 60 * 60_000);
  expect(deadlines.isGivenUp(now.toISOString(), later, jobHasEnded)).toBe(isGivenUp);
});

test('a transcription with a creation time in the future is not given up', () => {
  expect(deadlines.isGivenUp('2026-03-02T10:00:00.000Z', now, false)).toBe(false);
});

test('a tombstone outlives every message: in the queue, the dead-letter queue, and both again after a redrive', () => {
  const days = (deadlines.tombstoneExpiry(now) - now.getTime() / 1000) / (24 * 60 * 60);
  expect(days).toBeGreaterThan((7 + 14) * 2);
  expect(Number.isInteger(deadlines.tombstoneExpiry(new Date(now.getTime() + 1)))).toBe(true);
});

test('the delay after a busy Transcribe is within the limit of SQS and never too short to help', () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, jitter) => {
      const seconds = busyPauseSeconds(attempt, jitter);
      const ceiling = Math.min(5 * 2 ** attempt, 900);
      expect(Number.isInteger(seconds)).toBe(true);
      expect(seconds).toBeGreaterThanOrEqual(Math.ceil(ceiling / 2));
      expect(seconds).toBeLessThanOrEqual(Math.ceil(ceiling));
      expect(seconds).toBeLessThanOrEqual(900);
    }),
  );
});

test('half of the delay is jitter, so that requests refused together are spread', () => {
  expect([0, 0.5, 1].map((jitter) => busyPauseSeconds(7, jitter))).toEqual([320, 480, 640]);
});
