import { expect, test } from 'vitest';
import { countedSeconds, secondsToGiveBack } from '#shared/domain/recognized-seconds.ts';
import { transcriptionRecord, uuid } from '../../support/records.ts';

const startDate = '2026-03-01T10:00:00.000Z';

test.each([
  ['its length, with a started second as a whole one', '2026-03-01T10:10:00.001Z', 601],
  ['the fewest seconds that Transcribe bills, if its dates are equal', startDate, 15],
  ['the longest length', '2026-03-01T14:00:00.000Z', 14_400],
  ['nothing, if it is too long to be transcribed', '2026-03-01T14:00:00.001Z', 0],
])('a recording counts %s', (_what, endDate, seconds) => {
  expect(countedSeconds({ startDate, endDate })).toBe(seconds);
});

test.each([
  ['its counted seconds', {}, '2026-03-01T23:59:59.999Z', 600],
  ['nothing once the day has ended', {}, '2026-03-02T00:00:00.000Z', 0],
  ['nothing once its job has started', { jobStartedAt: startDate }, startDate, 0],
  ['nothing if it has taken over a job', { workId: uuid(9) }, startDate, 0],
])('a transcription that fails gives back %s', (_what, facts, now, seconds) => {
  const record = transcriptionRecord({ createdAt: startDate, ...facts });
  expect(secondsToGiveBack(record, new Date(now))).toBe(seconds);
});
