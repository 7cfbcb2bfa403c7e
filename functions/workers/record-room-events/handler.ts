import { type LiveTranscriptionEvent, RoomEvent } from '#shared/contracts/events.ts';
import { begunLiveTranscription, endedLiveTranscription } from '#shared/domain/live-transcription.ts';
import { isGenerated } from '#shared/domain/transcript-location.ts';
import { UnreadableMessage } from '#shared/errors.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import type { RecordingRepository } from '#shared/storage/recordings.ts';
import type { TranscriptionRepository } from '#shared/storage/transcriptions.ts';

type Deps = {
  readonly queue: WorkerQueue;
  readonly recordings: Pick<RecordingRepository, 'register'>;
  readonly transcriptions: Pick<TranscriptionRepository, 'begin' | 'endLive'>;
  readonly transcriptsBucket: string;
};

/**
 * Fed by the platform through the room-events queue; an event may come twice, late and in any order. Each is one write
 * that changes nothing when it is repeated: what is stored already, or was deleted, wins over a late event.
 */
export const createHandler = ({ queue, recordings, transcriptions, transcriptsBucket }: Deps) => {
  const recordLive = async (event: LiveTranscriptionEvent) => {
    if (event.type === 'transcription.started') {
      await transcriptions.begin(begunLiveTranscription(event, transcriptsBucket));
    } else {
      await transcriptions.endLive(endedLiveTranscription(event, transcriptsBucket));
    }
  };

  return worker({ name: 'record-room-events', schema: RoomEvent, queue }, async (event) => {
    if (event.type === 'recording.finished') {
      const { organizationId, createdAt: finishedAt, data } = event;
      await recordings.register({ organizationId, ...data, finishedAt });
    } else {
      refuseGeneratedFile(event, transcriptsBucket);
      await recordLive(event);
    }
  });
};

/** A file that this service made belongs to one transcription of one organization: no event can claim it for another. */
function refuseGeneratedFile({ data }: LiveTranscriptionEvent, transcriptsBucket: string): void {
  const location = 'location' in data ? data.location : undefined;
  if (location?.bucket === transcriptsBucket && isGenerated(location.key)) {
    throw new UnreadableMessage([{ path: 'data.location.key', message: 'must not be a file that the service made' }]);
  }
}
