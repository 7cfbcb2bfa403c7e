import type { TranscriptFiles } from '#shared/adapters/s3/transcript-files.ts';
import { type LiveTranscriptionEvent, RoomEvent } from '#shared/contracts/events.ts';
import { isSessionEvent, type SessionEvent } from '#shared/contracts/session-events.ts';
import { begunLiveTranscription, endedLiveTranscription, keepsFileOf } from '#shared/domain/live-transcription.ts';
import { isGenerated } from '#shared/domain/transcript-location.ts';
import { UnreadableMessage } from '#shared/errors.ts';
import type { LogFacts } from '#shared/logger.ts';
import { type AssertTimeLeft, groupWorker, type Place, type WorkerQueue } from '#shared/queue/worker.ts';
import type { RecordingRepository } from '#shared/storage/transcriptions/recordings.ts';
import type { TranscriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import {
  type RecordSessionDependencies,
  recordRoomCreated,
  recordSessionEvents,
} from '#shared/use-cases/record-session-events.ts';

type Deps = RecordSessionDependencies & {
  readonly queue: WorkerQueue;
  readonly recordings: Pick<RecordingRepository, 'register'>;
  readonly transcriptions: Pick<TranscriptionRepository, 'begin' | 'endLive'>;
  readonly files: Pick<TranscriptFiles, 'removeAllOf'>;
  readonly transcriptsBucket: string;
  readonly now?: () => Date;
};

/**
 * Fed by the platform through the room-events queue; an event may come twice, late and in any order. Repeated, it changes
 * nothing that anybody sees. Events of one session that come in one batch are recorded together; every other event is a group of its own.
 */
export const createHandler = ({ queue, recordings, transcriptions, files, transcriptsBucket, now, ...deps }: Deps) => {
  /** A file that is handed in for one that was deleted, or has ended otherwise, is deleted: nothing would ever name it. */
  const recordLive = async (event: LiveTranscriptionEvent) => {
    refuseGeneratedFile(event, transcriptsBucket);
    if (event.type === 'transcription.started') {
      await transcriptions.begin(begunLiveTranscription(event, now?.() ?? new Date()));
      return;
    }
    const record = endedLiveTranscription(event, transcriptsBucket);
    const outcome = await transcriptions.endLive(record);
    if (!outcome.applied && !keepsFileOf(record, outcome.stored)) await files.removeAllOf(record);
  };

  const recordOther = async (event: Exclude<RoomEvent, SessionEvent>, assertTimeLeft: AssertTimeLeft) => {
    if (event.type === 'room.created') return recordRoomCreated(deps, event, assertTimeLeft);
    if (event.type !== 'recording.finished') return recordLive(event);
    const { organizationId, createdAt: finishedAt, data } = event;
    await recordings.register({ organizationId, ...data, finishedAt });
  };

  const name = 'record-room-events';
  const lagMetric = 'RoomEventLag';
  return groupWorker(
    { name, schema: RoomEvent, queue, factsOf, lagMetric, placeOf },
    async (events, assertTimeLeft) => {
      await recordSessionEvents(deps, events.filter(isSessionEvent), assertTimeLeft);
      for (const event of events) if (!isSessionEvent(event)) await recordOther(event, assertTimeLeft);
    },
  );
};

/** One room's events one after the other: each changes the room's totals. */
function placeOf(event: RoomEvent): Place | undefined {
  if (!isSessionEvent(event) && event.type !== 'room.created') return undefined;
  const { organizationId, data } = event;
  const lane = JSON.stringify([organizationId, data.roomName]);
  const together = 'roomSessionId' in data ? ['session', data.roomSessionId] : ['event', event.id];
  return { lane, group: JSON.stringify([lane, ...together]) };
}

function factsOf({ id: eventId, type, organizationId, data }: RoomEvent): LogFacts {
  const idOf = (name: string) => (name in data ? { [name]: String((data as Record<string, unknown>)[name]) } : {});
  const ids = ['recordingId', 'transcriptionId', 'roomSessionId', 'participantId'].map(idOf);
  return Object.assign({ eventId, type, organizationId }, ...ids);
}

/** A file that this service made belongs to one transcription of one organization: no event can claim it for another. */
function refuseGeneratedFile({ data }: LiveTranscriptionEvent, transcriptsBucket: string): void {
  const location = 'location' in data ? data.location : undefined;
  if (location?.bucket === transcriptsBucket && isGenerated(location.key)) {
    throw new UnreadableMessage([{ path: 'data.location.key', message: 'must not be a file that the service made' }]);
  }
}
