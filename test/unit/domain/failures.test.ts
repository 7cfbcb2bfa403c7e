import { expect, test } from 'vitest';
import { failureCodes } from '#shared/contracts/transcription.ts';
import { failure, preflightFailure } from '#shared/domain/failures.ts';

test.each(failureCodes)('%s says in a sentence what happened', (code) => {
  expect(failure(code)).toEqual({ code, message: expect.stringMatching(/^[A-Z].+\.$/) });
});

test('a failure may bring its own sentence, and an empty one at that', () => {
  expect(failure('engine_error', 'Out of memory.')).toEqual({ code: 'engine_error', message: 'Out of memory.' });
});

const fourHours = 4 * 60 * 60;
const twoGigabytes = 2 * 1024 ** 3;

test.each([
  [0, 0, undefined],
  [fourHours, twoGigabytes, undefined],
  [fourHours + 1, 1, 'recording_too_long'],
  [1, twoGigabytes + 1, 'recording_too_large'],
  [1, undefined, 'recording_missing'],
  [fourHours + 1, undefined, 'recording_too_long'],
  [fourHours + 1, twoGigabytes + 1, 'recording_too_long'],
])('a recording of %d seconds and %s bytes is refused before anything is paid for: %s', (seconds, bytes, code) => {
  expect(preflightFailure(seconds, bytes)).toBe(code);
});
