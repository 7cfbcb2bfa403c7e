import type { TranscriptFiles } from '#shared/adapters/s3/transcript-files.ts';
import { type LiveTranscriptionEvent, RoomEvent } from '#shared/contracts/events.ts';
import { begunLiveTranscription, endedLiveTranscription, keepsFileOf } from '#shared/domain/live-transcription.ts';
import { isGenerated } from '#shared/domain/transcript-location.ts';
import { UnreadableMessage } from '#shared/errors.ts';
import type { LogFacts } from '#shared/logger.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import type { RecordingRepository } from '#shared/storage/recordings.ts';
import type { TranscriptionRepository } from '#shared/storage/transcriptions.ts';

type Deps = {
  readonly queue: WorkerQueue;
  readonly recordings: Pick<RecordingRepository, 'register'>;
  readonly transcriptions: Pick<TranscriptionRepository, 'begin' | 'endLive'>;
  readonly files: Pick<TranscriptFiles, 'removeAllOf'>;
  readonly transcriptsBucket: string;
  readonly now?: () => Date;
};

/**
 * Fed by the platform through the room-events queue; an event may come twice, late and in any order. Each is one write
 * that changes nothing when it is repeated: what is stored already, or was deleted, wins over a late event. A file
 * that is handed in for one that was deleted, or has ended otherwise, is deleted: nothing would ever name it.
 */
export const createHandler = ({ queue, recordings, transcriptions, files, transcriptsBucket, now }: Deps) => {
  const recordLive = async (event: LiveTranscriptionEvent) => {
    if (event.type === 'transcription.started') {
      await transcriptions.begin(begunLiveTranscription(event, now?.() ?? new Date()));
      return;
    }
    const record = endedLiveTranscription(event, transcriptsBucket);
    const outcome = await transcriptions.endLive(record);
    if (!outcome.applied && !keepsFileOf(record, outcome.stored)) await files.removeAllOf(record);
  };

  const name = 'record-room-events';
  return worker({ name, schema: RoomEvent, queue, factsOf }, async (event) => {
    if (event.type === 'recording.finished') {
      const { organizationId, createdAt: finishedAt, data } = event;
      await recordings.register({ organizationId, ...data, finishedAt });
    } else {
      refuseGeneratedFile(event, transcriptsBucket);
      await recordLive(event);
    }
  });
};

function factsOf({ id: eventId, type, organizationId, data }: RoomEvent): LogFacts {
  const subject =
    type === 'recording.finished' ? { recordingId: data.recordingId } : { transcriptionId: data.transcriptionId };
  return { eventId, type, organizationId, ...subject };
}

/** A file that this service made belongs to one transcription of one organization: no event can claim it for another. */
function refuseGeneratedFile({ data }: LiveTranscriptionEvent, transcriptsBucket: string): void {
  const location = 'location' in data ? data.location : undefined;
  if (location?.bucket === transcriptsBucket && isGenerated(location.key)) {
    throw new UnreadableMessage([{ path: 'data.location.key', message: 'must not be a file that the service made' }]);
  }
}
