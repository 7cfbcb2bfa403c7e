import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { optionsFingerprint } from './effective-options.ts';
import type { RecordingRecord } from './recording.ts';

/** The newest transcriptions of a recording: the one without options, and those with the options that were asked for last. */
export type NewestTranscriptions = Pick<RecordingRecord, 'latestTranscriptionId' | 'otherTranscriptions'>;

/** With more options than this at once, the same options can make a second transcription. It keeps the row small. */
const mostOptions = 10;

/** The id of the recording's newest transcription with these options. */
export function newestWith(
  { latestTranscriptionId, otherTranscriptions = [] }: NewestTranscriptions,
  options: TranscriptionOptions | undefined,
): string | undefined {
  if (!options) return latestTranscriptionId;
  const fingerprint = optionsFingerprint(options);
  return otherTranscriptions.find((other) => other.options === fingerprint)?.transcriptionId;
}

/** The list of transcriptions with options after this one is the newest with its options. */
export function otherTranscriptionsWith(
  { otherTranscriptions = [] }: NewestTranscriptions,
  options: TranscriptionOptions,
  transcriptionId: string,
): NonNullable<RecordingRecord['otherTranscriptions']> {
  const fingerprint = optionsFingerprint(options);
  const others = otherTranscriptions.filter((other) => other.options !== fingerprint);
  return [{ options: fingerprint, transcriptionId }, ...others].slice(0, mostOptions);
}
