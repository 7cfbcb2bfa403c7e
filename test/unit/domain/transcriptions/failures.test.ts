import { expect, test } from 'vitest';
import { failureCodes } from '#shared/contracts/transcriptions/transcription.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';

test.each(failureCodes)('the failure %s has a full sentence as its message', (code) => {
  expect(failure(code)).toEqual({ code, message: expect.stringMatching(/^[A-Z].+\.$/) });
});

test('failure uses the given message, even an empty one', () => {
  expect(failure('engine_error', 'Out of memory.')).toEqual({ code: 'engine_error', message: 'Out of memory.' });
});
