import type { LiveTranscriptionEvent } from '#shared/contracts/events.ts';
import {
  begunLiveTranscription,
  endedLiveTranscription,
  refuseForeignFile,
  transcriptionOf,
} from '#shared/domain/transcriptions/live-transcription.ts';
import { isDeleted } from '#shared/domain/transcriptions/transcription.ts';
import type { TranscriptFileStore, TranscriptionStore } from './ports.ts';

/** The stores and settings that recording a live transcription needs. */
export type RecordLiveDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'beginLive' | 'endLive'>;
  readonly files: Pick<TranscriptFileStore, 'removeLive'>;
  readonly transcriptsBucket: string;
  readonly now?: () => Date;
};

/**
 * Records the start or the end of a live transcription. An event that comes too late changes nothing, and deletes nothing that
 * a transcription may name: its files go when it is deleted. If it is deleted already, files that came later go now. Throws
 * `UnreadableMessage` if the event names a file that does not belong to its transcription.
 */
export async function recordLiveTranscription(
  { transcriptions, files, transcriptsBucket, now = () => new Date() }: RecordLiveDependencies,
  event: LiveTranscriptionEvent,
): Promise<void> {
  refuseForeignFile(event, transcriptsBucket);
  const outcome =
    event.type === 'transcription.started'
      ? await transcriptions.beginLive(begunLiveTranscription(event, now()))
      : await transcriptions.endLive(endedLiveTranscription(event, transcriptsBucket));
  if (!outcome.applied && outcome.stored && isDeleted(outcome.stored)) await files.removeLive(transcriptionOf(event));
}
