import type { LiveTranscriptionEvent } from '../contracts/events.ts';
import type { StorageType } from '../contracts/transcription.ts';
import { deadlines } from './deadlines.ts';
import { failure } from './failures.ts';
import { billableSeconds, type TranscriptionRecord } from './transcription.ts';

type Ended = TranscriptionRecord & { readonly state: 'ready' | 'failed' };
type StartedEvent = Extract<LiveTranscriptionEvent, { type: 'transcription.started' }>;
type EndedEvent = Exclude<LiveTranscriptionEvent, StartedEvent>;

/** A live transcription that has begun; whatever ends it brings the rest. */
export function begunLiveTranscription(event: StartedEvent, transcriptsBucket: string): TranscriptionRecord {
  return {
    ...base(event, event.data, transcriptsBucket),
    endDate: null,
    state: 'in_progress',
    durationInSeconds: 0,
    filename: null,
    dueAt: deadlines.liveEnd(event.createdAt),
  };
}

/**
 * A live transcription that has ended, made from this one event: its beginning may come later, or never. What the event
 * leaves out is inferred: its end from when it happened, its duration from both dates.
 */
export function endedLiveTranscription(event: EndedEvent, transcriptsBucket: string): Ended {
  const { startDate, endDate = later(startDate, event.createdAt) } = event.data;
  if (event.type === 'transcription.failed') {
    const record = base(event, {}, transcriptsBucket);
    return {
      ...record,
      endDate,
      state: 'failed',
      durationInSeconds: 0,
      filename: null,
      failure: failure('engine_error', event.data.error),
    };
  }
  const { durationInSeconds = billableSeconds(startDate, endDate), filename, location } = event.data;
  return {
    ...base(event, event.data, transcriptsBucket),
    endDate,
    state: 'ready',
    durationInSeconds,
    filename: filename ?? location?.key.split('/').at(-1) ?? null,
  };
}

function base(
  { organizationId, data }: LiveTranscriptionEvent,
  { storageType, location }: Pick<EndedData, 'storageType' | 'location'>,
  transcriptsBucket: string,
) {
  const { transcriptionId, roomSessionId, roomName, startDate } = data;
  return {
    organizationId,
    transcriptionId,
    roomSessionId,
    roomName,
    createdAt: startDate, // of all dates the one that every event of it carries, so that their order does not matter
    startDate,
    type: 'LIVE_TRANSCRIPTION',
    storageType: storageType ?? storageTypeOf(location, transcriptsBucket),
    ...(location && { location }),
  } as const;
}

type EndedData = Extract<LiveTranscriptionEvent, { type: 'transcription.finished' }>['data'];

/** Where the event does not say who keeps the file, its bucket does; a file that nobody named is not ours. */
function storageTypeOf(location: EndedData['location'], transcriptsBucket: string): StorageType {
  return location?.bucket === transcriptsBucket ? 'SERVICE_HOSTED' : 'SELF_HOSTED';
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
