import { randomUUID } from 'node:crypto';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import {
  canonicalOptions,
  type OptionDefaults,
  withDefaults,
} from '#shared/domain/transcriptions/effective-options.ts';
import { newestWith } from '#shared/domain/transcriptions/newest-transcription.ts';
import { jobRequestOf, offersWork, type WorkOwner, workOf } from '#shared/domain/transcriptions/parts/work.ts';
import { countedSeconds } from '#shared/domain/transcriptions/recognized-seconds.ts';
import {
  isInProgress,
  type StoredTranscription,
  type TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import { transitions } from '#shared/domain/transcriptions/transcription-states.ts';
import { InvalidRequest, RecordingNotFound, TooManyMinutes } from '#shared/runtime/errors.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import { type ClosedRecording, type ClosingDependencies, closedRecording } from './closed-recording.ts';
import type { OptionDefaultsReader, TranscriptionCreation, TranscriptionStore } from './ports.ts';
import type { RecordingStore } from './recording-ports.ts';

type CreationOutcome = { readonly transcriptionId: string; readonly isNew: boolean };

const maxAttempts = 8;
/** All creations of an organization count in one item, so they compete. */
const maxPauseMs = (failedAttempts: number) => Math.min(25 * 2 ** failedAttempts, 800);

/** What `createTranscription` needs. Tests replace the clock, the ids and the pause. */
export type CreateDependencies = {
  readonly recordings: Pick<RecordingStore, 'find'>;
  readonly closing: ClosingDependencies;
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly optionDefaults: OptionDefaultsReader;
  readonly creation: TranscriptionCreation;
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly pause?: Pause;
};

/** The recording to transcribe and how, its organization, and the id of the API request. */
export type CreationRequest = {
  readonly organizationId: OrganizationId;
  readonly recordingId: string;
  readonly correlationId: string;
  readonly options?: TranscriptionOptions | undefined;
};

/**
 * Returns the recording's unfinished transcription with the same options, or else creates a new one. If the last one was deleted while its job may still
 * run, the new one takes over the job, and counts no seconds. If several calls race, one creates it and the others return it. Throws
 * `InvalidRequest` for options that do not fit each other or the recording, `RecordingNotFound` also for a recording that is still open, `TooManyMinutes` if the recording does not fit under the organization's ceiling, and `ServiceUnavailable`
 * after 8 lost races.
 */
export function createTranscription(
  {
    recordings,
    closing,
    transcriptions,
    optionDefaults,
    creation,
    now = () => new Date(),
    newId = randomUUID,
    pause,
  }: CreateDependencies,
  { organizationId, recordingId, correlationId, options: requested = {} }: CreationRequest,
): Promise<CreationOutcome> {
  const transcriptionId = newId();
  const defaultOptions = optionDefaults.of(organizationId);
  const attempt = async (): Promise<CreationOutcome | typeof tryAgain> => {
    const [found, defaults] = await Promise.all([recordings.find(organizationId, recordingId), defaultOptions]);
    const recording = found && (await closedRecording(closing, found, now()));
    if (!recording) throw new RecordingNotFound();
    const options = optionsOf(recording, requested, defaults);
    const previousId = newestWith(recording, options);
    if (previousId === transcriptionId) return { transcriptionId, isNew: true }; // created by an earlier attempt, whose answer was lost
    const previous = previousId === undefined ? undefined : await transcriptions.find(organizationId, previousId);
    if (isWanted(previous, requested)) return { transcriptionId: previous.transcriptionId, isNew: false };
    const fresh = newRecord({ organizationId, transcriptionId, correlationId }, recording, options, now());
    const offer = offersWork(previous, jobRequestOf(fresh)) ? previous : undefined;
    const workId = offer && workOf(offer).transcriptionId;
    const record = { ...fresh, ...(workId !== undefined && { workId }) };
    const result = await creation.create(record, recording, offer);
    if (typeof result === 'object') throw new TooManyMinutes(result.exceeded, countedSeconds(record));
    return result === 'created' ? { transcriptionId, isNew: true } : tryAgain;
  };
  return retry(attempt, {
    maxAttempts,
    maxPauseMs,
    exhausted: 'Too many concurrent requests create transcriptions. Send the request again.',
    pause,
  });
}

/**
 * The options that take effect for this recording, as they are stored. `tracks` is false only if there are tracks that must not be
 * used. Defaults that do not fit the recording do not count.
 */
function optionsOf(
  { location, trackRevision }: ClosedRecording,
  requested: TranscriptionOptions,
  defaults: readonly OptionDefaults[],
): TranscriptionOptions | undefined {
  const merged = withDefaults(requested, defaults);
  if ('issues' in merged) throw new InvalidRequest(merged.issues);
  const { tracks, ...options } = merged.options;
  const hasTracks = trackRevision !== undefined;
  if (requested.tracks === true && !hasTracks) throw unfit('tracks', 'cannot be true: the recording has no tracks');
  if (!location) {
    const message = 'needs a mixed file, and the recording has only tracks';
    if (requested.channels) throw unfit('channels', message);
    if (requested.tracks === false) throw unfit('tracks', message);
  }
  const leavesTracksOut = hasTracks && location !== undefined && (tracks === false || options.channels !== undefined);
  return canonicalOptions({ ...options, ...(leavesTracksOut && { tracks: false }) });
}

function unfit(option: keyof TranscriptionOptions, message: string): InvalidRequest {
  return new InvalidRequest([{ path: `options.${option}`, message }]);
}

/** True for a transcription in progress, unless tracks are asked for that were reported after it was created. */
function isWanted(
  stored: StoredTranscription | undefined,
  { tracks }: TranscriptionOptions,
): stored is TranscriptionRecord & { readonly state: 'in_progress' } {
  return isInProgress(stored) && (tracks !== true || stored.trackRevision !== undefined);
}

function newRecord(
  ids: WorkOwner & { readonly correlationId: string },
  recording: ClosedRecording,
  options: TranscriptionOptions | undefined,
  now: Date,
) {
  const { recordingId, roomName, roomSessionId, startDate, endDate, location, trackRevision } = recording;
  return {
    ...ids,
    recordingId,
    roomName,
    roomSessionId,
    createdAt: now.toISOString(),
    startDate,
    endDate,
    state: transitions.created.to,
    durationInSeconds: 0,
    type: 'RECORDING_TRANSCRIPTION',
    filename: null,
    storageType: 'SERVICE_HOSTED',
    ...(location && { location }),
    // Of both, the tracks are transcribed unless the options say otherwise.
    ...(trackRevision !== undefined && options?.tracks !== false && { trackRevision }),
    ...(options && { options }),
    dueAt: deadlines.jobStart(now),
  } as const;
}
