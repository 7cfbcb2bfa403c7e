import type { LiveTranscriptionEvent } from '#shared/contracts/events.ts';
import type { StorageType } from '#shared/contracts/transcriptions/transcription.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';
import { deadlines } from './deadlines.ts';
import { failure } from './failures.ts';
import { basename, liveFolder, mayBelongTo } from './transcript-location.ts';
import { billableSeconds, type TranscriptionKey, type TranscriptionRecord } from './transcription.ts';
import { transitions } from './transcription-states.ts';

type Ended = TranscriptionRecord & { readonly state: 'ready' | 'failed' };
type StartedEvent = Extract<LiveTranscriptionEvent, { type: 'transcription.started' }>;
type EndedEvent = Exclude<LiveTranscriptionEvent, StartedEvent>;

/** The record of a live transcription that has started. Its end event must arrive within two days and brings the rest. */
export function begunLiveTranscription(event: StartedEvent, now: Date): TranscriptionRecord {
  return {
    ...base(event),
    endDate: null,
    state: transitions.liveStarted.to,
    durationInSeconds: 0,
    filename: null,
    storageType: event.data.storageType ?? 'SERVICE_HOSTED',
    dueAt: deadlines.liveEnd(now),
  };
}

/**
 * The record of a live transcription that has ended. It comes from the end event alone, because the start event may arrive
 * later or never. If the event lacks them, the end is the event's time, the duration comes from both dates, and the storage
 * type from the file's bucket.
 */
export function endedLiveTranscription(event: EndedEvent, transcriptsBucket: string): Ended {
  const { startDate, endDate = later(startDate, event.createdAt), location } = event.data;
  const record = {
    ...base(event),
    endDate,
    storageType: event.data.storageType ?? storageTypeOf(event, transcriptsBucket),
    ...(location && { location }),
  };
  if (event.type === 'transcription.failed') {
    const reason = failure('engine_error', event.data.error || undefined);
    return { ...record, state: transitions.liveFailed.to, durationInSeconds: 0, filename: null, failure: reason };
  }
  const { durationInSeconds = billableSeconds(startDate, endDate), filename = basename(location?.key ?? '') ?? null } =
    event.data;
  return { ...record, state: transitions.liveFinished.to, durationInSeconds, filename };
}

/** Identifies the transcription of an event. */
export function transcriptionOf({
  organizationId,
  data: { transcriptionId },
}: LiveTranscriptionEvent): TranscriptionKey {
  return { organizationId, transcriptionId };
}

/** Throws `UnreadableMessage` if the event names a file of the transcripts bucket outside the folder of its transcription. */
export function refuseForeignFile(event: LiveTranscriptionEvent, transcriptsBucket: string): void {
  const location = 'location' in event.data ? event.data.location : undefined;
  const owner = transcriptionOf(event);
  if (location === undefined || mayBelongTo(owner, location, transcriptsBucket)) return;
  const message = `must start with ${liveFolder(owner)} in this bucket`;
  throw new UnreadableMessage([{ path: 'data.location.key', message }]);
}

function base({ organizationId, data }: LiveTranscriptionEvent) {
  const { transcriptionId, roomSessionId, roomName, startDate } = data;
  return {
    organizationId,
    transcriptionId,
    roomSessionId,
    roomName,
    createdAt: startDate, // every event has this date, so the order of the events does not matter
    startDate,
    type: 'LIVE_TRANSCRIPTION',
  } as const;
}

/** Without a location, a finished transcription's file is not stored by this service, and a failed one has no file. */
function storageTypeOf({ type, data: { location } }: EndedEvent, transcriptsBucket: string): StorageType {
  if (!location) return type === 'transcription.failed' ? 'SERVICE_HOSTED' : 'SELF_HOSTED';
  return location.bucket === transcriptsBucket ? 'SERVICE_HOSTED' : 'SELF_HOSTED';
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
