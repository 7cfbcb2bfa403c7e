import { expect, test } from 'vitest';
import { failureCodeOf } from '#shared/adapters/transcriptions/failure-reasons.ts';

// https://docs.aws.amazon.com/transcribe/latest/APIReference/API_TranscriptionJob.html, and reasons reported by users
test.each([
  ['Unsupported media format.', 'unsupported_media'],
  ['The media format provided does not match the detected media format.', 'unsupported_media'],
  ['Invalid sample rate for audio file.', 'unsupported_media'],
  ['The sample rate provided does not match the detected sample rate.', 'unsupported_media'],
  ['Invalid number of channels: number of channels too large.', 'unsupported_media'],
  ['Invalid file size: file size too large.', 'recording_too_large'],
  ['Invalid file size: file size too large. Maximum audio duration is 4.000000 hours.', 'recording_too_long'],
  [
    "The data in your input media file isn't valid. Check the media file and try your request again.",
    'media_unreadable',
  ],
  ['The input media file length is too small. Minimum audio duration is 0.500000 milliseconds.', 'media_unreadable'],
  ['Failed to parse audio file.', 'media_unreadable'],
  [
    'Your audio file must have a speech segment long enough in duration to perform automatic language identification. Provide an audio file with someone speaking for a longer period of time and try your request again.',
    'no_speech',
  ],
  [
    "The S3 URI that you provided can't be accessed. Make sure that you have read permission and try your request again.",
    'recording_missing',
  ],
  [
    "The URI that you provided doesn't point to an S3 object. Make sure that the object exists and try your request again.",
    'recording_missing',
  ],
  [
    "The specified S3 bucket can't be accessed. Make sure that you have write permission to the bucket.",
    'engine_access_denied',
  ],
  [
    "The requested vocabulary couldn't be found. Check the vocabulary name and try your request again.",
    'vocabulary_not_found',
  ],
  ["The requested vocabulary filter couldn't be found. Check the name.", 'vocabulary_not_found'],
  ['Internal failure', 'engine_error'],
  ['', 'engine_error'],
  ['__proto__', 'engine_error'],
  ['An unknown reason.', 'engine_error'],
])('failureCodeOf(%j) is %s', (reason, code) => {
  expect(failureCodeOf(reason)).toBe(code);
  expect(failureCodeOf(reason.toUpperCase())).toBe(code);
});

test('failureCodeOf reads a very long reason without delay', () => {
  expect(failureCodeOf('maximum audio '.repeat(100_000))).toBe('engine_error');
});
