import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';

/**
 * Patterns for the failure reasons of Transcribe, in order of precedence. The texts are those of `FailureReason` in
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/API_TranscriptionJob.html and of BadRequestException.
 */
const rules: readonly (readonly [RegExp, FailureCode])[] = [
  [/doesn't point to an S3 object|S3 URI that you provided can't be accessed/i, 'recording_missing'],
  [/specified S3 bucket can't be accessed/i, 'engine_access_denied'],
  [/must have a speech segment/i, 'no_speech'],
  [/maximum audio duration/i, 'recording_too_long'],
  [/number of channels|sample rate|media format/i, 'unsupported_media'],
  [/vocabular(y|ies)/i, 'vocabulary_not_found'],
  [/file size too large/i, 'recording_too_large'],
  [/input media file (isn't valid|length is too small)|failed to parse audio/i, 'media_unreadable'],
];

/** The code for a failure reason of Transcribe. An unknown reason has the code `engine_error`. */
export function failureCodeOf(failureReason: string): FailureCode {
  return rules.find(([pattern]) => pattern.test(failureReason))?.[1] ?? 'engine_error';
}
