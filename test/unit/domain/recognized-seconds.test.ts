import { expect, test } from 'vitest';
import { countedSeconds } from '#shared/domain/recognized-seconds.ts';

const startDate = '2026-03-01T10:00:00.000Z';

test.each([
  ['its length, with a started second as a whole one', '2026-03-01T10:10:00.001Z', 601],
  ['the fewest seconds that Transcribe bills, if its dates are equal', startDate, 15],
  ['the longest length', '2026-03-01T14:00:00.000Z', 14_400],
  ['nothing, if it is too long to be transcribed', '2026-03-01T14:00:00.001Z', 0],
])('a recording counts %s', (_what, endDate, seconds) => {
  expect(countedSeconds({ startDate, endDate })).toBe(seconds);
});
