/**
 * The reasons of a FAILED job. They use Amazon's texts if there are any, so that the service maps both to the same
 * failure code.
 */
export const FAILURE_REASONS = {
  formatMismatch: 'The media format provided does not match the detected media format.',
  unsupportedFormat: 'Unsupported media format.',
  invalidMedia: "The data in your input media file isn't valid. Check the media file and try your request again.",
  invalidSampleRate: 'Invalid sample rate for audio file.',
  sampleRateMismatch: 'The sample rate provided does not match the detected sample rate.',
  tooManyChannels: 'Invalid number of channels: number of channels too large.',
  // The missing space before "Check" is Amazon's.
  tooLong:
    'Invalid file size: file size too large. Maximum audio duration is 4.000000 hours.Check the length of the file and try your request again.',
  tooLarge:
    'Invalid file size: file size too large. Maximum file size is 2 GB. Check the size of the file and try your request again.',
  tooShort:
    'The input media file length is too small. Minimum audio duration is 0.500000 seconds. Check the length of the file and try your request again.',
  noSpeech:
    'Your audio file must have a speech segment long enough in duration to perform automatic language identification. Provide an audio file with someone speaking for a longer period of time and try your request again.',
  missingMedia:
    "The URI that you provided doesn't point to an S3 object. Make sure that the object exists and try your request again.",
  unreadableMedia:
    "The S3 URI that you provided can't be accessed. Make sure that you have read permission and try your request again.",
  unwritableOutput:
    "The S3 bucket that you provided for the output can't be written to. Check the bucket and try your request again.",
  filterDeleted:
    "The vocabulary filter of this job couldn't be found. Check the vocabulary filter name and try your request again.",
  noRecognizer: 'No speech recognizer is installed on this machine. Run `npm run setup` and try your request again.',
  recognizerFailed:
    'The speech recognizer of this machine failed. Run `npm run setup` to install what it needs and try your request again.',
  languageNotLocal: 'The speech recognizer of this machine understands English only.',
  noFfmpeg: 'ffmpeg is not installed on this machine. Run `npm run setup` and try your request again.',
  internal: 'Internal Failure. Please try your request again.',
} as const;

/** Thrown when a job fails. Its message becomes the FailureReason of the job. */
export class JobFailure extends Error {
  override name = 'JobFailure';
  readonly reason: keyof typeof FAILURE_REASONS;

  constructor(reason: keyof typeof FAILURE_REASONS, options?: ErrorOptions) {
    super(FAILURE_REASONS[reason], options);
    this.reason = reason;
  }
}
