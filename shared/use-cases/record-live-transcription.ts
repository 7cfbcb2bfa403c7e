import type { LiveTranscriptionEvent } from '../contracts/events.ts';
import {
  begunLiveTranscription,
  endedLiveTranscription,
  keepsFileOf,
  refuseGeneratedFile,
} from '../domain/live-transcription.ts';
import type { TranscriptFileStore, TranscriptionStore } from './ports.ts';

/** The stores and settings that recording a live transcription needs. */
export type RecordLiveDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'beginLive' | 'endLive'>;
  readonly files: Pick<TranscriptFileStore, 'removeAllOf'>;
  readonly transcriptsBucket: string;
  readonly now?: () => Date;
};

/**
 * Records the start or the end of a live transcription. Only the first end is stored. A later end's file is deleted,
 * because no transcription names it. Throws `UnreadableMessage` if the event names a file that the service itself has written.
 */
export async function recordLiveTranscription(
  { transcriptions, files, transcriptsBucket, now = () => new Date() }: RecordLiveDependencies,
  event: LiveTranscriptionEvent,
): Promise<void> {
  refuseGeneratedFile(event, transcriptsBucket);
  if (event.type === 'transcription.started') {
    await transcriptions.beginLive(begunLiveTranscription(event, now()));
    return;
  }
  const record = endedLiveTranscription(event, transcriptsBucket);
  const outcome = await transcriptions.endLive(record);
  if (!outcome.applied && !keepsFileOf(record, outcome.stored)) await files.removeAllOf(record);
}
