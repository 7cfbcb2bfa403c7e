import { expect, test } from 'vitest';
import { failureCodes } from '#shared/contracts/transcription.ts';
import { failure, preflightFailure } from '#shared/domain/failures.ts';

test.each(failureCodes)('the failure %s has a full sentence as its message', (code) => {
  expect(failure(code)).toEqual({ code, message: expect.stringMatching(/^[A-Z].+\.$/) });
});

test('failure uses the given message, even an empty one', () => {
  expect(failure('engine_error', 'Out of memory.')).toEqual({ code: 'engine_error', message: 'Out of memory.' });
});

const fourHours = 4 * 60 * 60;
const twoGigabytes = 2 * 1024 ** 3;

test.each([
  [0, 0, undefined],
  [fourHours, twoGigabytes, undefined],
  [fourHours + 1, 1, 'recording_too_long'],
  [1, twoGigabytes + 1, 'recording_too_large'],
  [1, 'missing', 'recording_missing'],
  [1, 'unreadable', 'media_unreadable'],
  [fourHours + 1, 'missing', 'recording_too_long'],
  [fourHours + 1, twoGigabytes + 1, 'recording_too_long'],
] as const)('preflightFailure of a recording of %d seconds and the size %s is %s', (seconds, size, code) => {
  expect(preflightFailure(seconds, size)?.code).toBe(code);
});
