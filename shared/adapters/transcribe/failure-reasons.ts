import type { FailureCode } from '../../contracts/transcription.ts';

/**
 * Transcribe's own sentences, in the order in which they are tried. The texts are those of `FailureReason` in
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/API_TranscriptionJob.html and of its BadRequestException.
 */
const rules: readonly (readonly [RegExp, FailureCode])[] = [
  [
    /doesn't point to an S3 object|can't be accessed|unable to access|access denied|not authorized to access/i,
    'recording_missing',
  ],
  [/speech segment|no speech|language identification/i, 'no_speech'],
  [/file size|too large|exceeds the maximum.*size/i, 'recording_too_large'],
  [/too long|maximum.*(duration|length)|duration.*(exceed|limit)/i, 'recording_too_long'],
  [/unsupported|media format|detected media format|number of channels|sample rate|ffmpeg/i, 'unsupported_media'],
  [
    /isn't valid|not valid|failed to parse|corrupt|too short|could not be (read|decoded)|can't be (read|decoded)/i,
    'media_unreadable',
  ],
];

/** The code for a reason that Transcribe gives; `engine_error` for one that nobody has seen yet. */
export function failureCodeOf(failureReason: string): FailureCode {
  return rules.find(([pattern]) => pattern.test(failureReason))?.[1] ?? 'engine_error';
}
