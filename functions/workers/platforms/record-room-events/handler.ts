import { RoomEvent } from '#shared/contracts/events.ts';
import { isSessionFact, type RoomRetraction, type SessionFact } from '#shared/contracts/insights/session-events.ts';
import { refuseFarTimes, type TimeBounds } from '#shared/domain/insights/event-times.ts';
import type { Exceeded } from '#shared/domain/insights/session/session-limits.ts';
import { groupWorker, type MessageOrder, type WorkerOptions, type WorkerQueue } from '#shared/queue/worker.ts';
import { type LogFacts, log } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import type { AssertTimeLeft } from '#shared/runtime/time-left.ts';
import { recordRoomCreated, recordRoomRetraction } from '#shared/use-cases/insights/record-room-created.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import type { RecordSessionDependencies } from '#shared/use-cases/insights/session-update.ts';
import {
  type RecordLiveDependencies,
  recordLiveTranscription,
} from '#shared/use-cases/transcriptions/record-live-transcription.ts';
import {
  type RecordRecordingDependencies,
  recordRecording,
  recordTrack,
} from '#shared/use-cases/transcriptions/record-recording.ts';

type Deps = RecordSessionDependencies &
  RecordLiveDependencies &
  RecordRecordingDependencies & {
    readonly queue: WorkerQueue;
    readonly timeBounds: TimeBounds;
  } & Pick<WorkerOptions<typeof RoomEvent>, 'recordRefusals'>;

/** How long a batch may start sessions: longer than a hundred that are small take, and a part of what one organization may delay another. */
const turnMs = 2_000;

/**
 * Records the platform's events from the room-events queue. Events may arrive repeatedly, late and in any order. Recording an
 * event again changes nothing visible. Facts of one session in one batch are recorded together, and a refused one does not fail the
 * others. Every other event is recorded alone.
 */
export const createHandler = ({ queue, timeBounds, recordRefusals, ...deps }: Deps) => {
  const recordNonSessionEvent = (event: Exclude<RoomEvent, SessionFact>, assertTimeLeft: AssertTimeLeft) => {
    if (event.type === 'room.created') return recordRoomCreated(deps, event, assertTimeLeft);
    if (event.type === 'fact.retracted') return recordRoomRetraction(deps, event as RoomRetraction, assertTimeLeft); // it names no session
    if (event.type === 'recording.finished') return recordRecording(deps, event, assertTimeLeft);
    if (event.type === 'recording.track.finished') return recordTrack(deps, event, assertTimeLeft);
    return recordLiveTranscription(deps, event);
  };

  const name = 'record-room-events';
  const lagMetric = 'RoomEventLag';
  const check = (event: RoomEvent, arrivedAt: Date) => refuseFarTimes(event, arrivedAt, timeBounds);
  return groupWorker(
    { name, schema: RoomEvent, queue, factsOf, check, lagMetric, turnMs, recordRefusals, orderOf },
    async (events, assertTimeLeft) => {
      const facts = events.filter(isSessionFact);
      for (const event of events) if (!isSessionFact(event)) await recordNonSessionEvent(event, assertTimeLeft);
      return recordSessionEvents({ ...deps, onLimitExceeded }, facts, assertTimeLeft);
    },
  );
};

/**
 * Events of one room are recorded one after another, because each changes the room's totals, and so are those of one recording, because
 * each changes its row. Retractions of a session without a room have a lane of their own.
 */
function orderOf(event: RoomEvent): MessageOrder | undefined {
  if (event.type === 'recording.finished' || event.type === 'recording.track.finished') {
    return { lane: JSON.stringify([event.organizationId, 'recording', event.data.recordingId]) };
  }
  const isOfRoom = event.type === 'room.created' || event.type === 'fact.retracted';
  if (!isSessionFact(event) && !isOfRoom) return undefined;
  const { organizationId, data } = event;
  const lane = JSON.stringify([organizationId, data.roomName]);
  return { lane, group: isSessionFact(event) ? event.data.roomSessionId : undefined };
}

function onLimitExceeded({ participantId, limit }: Exceeded): void {
  log.warn('participant with more events than count', undefined, { participantId, limit });
  recordMetrics({ ParticipantsBeyondLimit: 1 });
}

function factsOf({ id: eventId, type, organizationId, data }: RoomEvent): LogFacts {
  const idOf = (name: string) => {
    const value = (data as Readonly<Record<string, unknown>>)[name];
    return value === undefined ? {} : { [name]: String(value) };
  };
  const ids = ['recordingId', 'transcriptionId', 'roomSessionId', 'participantId'].map(idOf);
  return Object.assign({ eventId, type, organizationId }, ...ids);
}
