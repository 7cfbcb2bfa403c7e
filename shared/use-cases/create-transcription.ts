import { randomUUID } from 'node:crypto';
import type { OrganizationId } from '../contracts/organization.ts';
import { deadlines } from '../domain/deadlines.ts';
import { countedSeconds } from '../domain/recognized-seconds.ts';
import { isInProgress } from '../domain/transcription.ts';
import { transitions } from '../domain/transcription-states.ts';
import { jobRequestOf, offersWork, type WorkOwner, workOf } from '../domain/work.ts';
import { RecordingNotFound, TooManyMinutes } from '../errors.ts';
import { type Pause, retry, tryAgain } from '../retry.ts';
import { type ClosedRecording, type ClosingDependencies, closedRecording } from './closed-recording.ts';
import type { TranscriptionCreation, TranscriptionStore } from './ports.ts';
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
  readonly creation: TranscriptionCreation;
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly pause?: Pause;
};

/** The recording to transcribe, its organization, and the id of the API request. */
export type CreationRequest = {
  readonly organizationId: OrganizationId;
  readonly recordingId: string;
  readonly correlationId: string;
};

/**
 * Returns the recording's unfinished transcription, or else creates a new one. If the last one was deleted while its job may still
 * run, the new one takes over the job, and counts no seconds. If several calls race, one creates it and the others return it. Throws
 * `RecordingNotFound` also for a recording that is still open, `TooManyMinutes` if the recording does not fit under the organization's ceiling, and `ServiceUnavailable`
 * after 8 lost races.
 */
export function createTranscription(
  {
    recordings,
    closing,
    transcriptions,
    creation,
    now = () => new Date(),
    newId = randomUUID,
    pause,
  }: CreateDependencies,
  { organizationId, recordingId, correlationId }: CreationRequest,
): Promise<CreationOutcome> {
  const transcriptionId = newId();
  const attempt = async (): Promise<CreationOutcome | typeof tryAgain> => {
    const found = await recordings.find(organizationId, recordingId);
    const recording = found && (await closedRecording(closing, found, now()));
    if (!recording) throw new RecordingNotFound();
    const previousId = recording.latestTranscriptionId;
    if (previousId === transcriptionId) return { transcriptionId, isNew: true }; // created by an earlier attempt, whose answer was lost
    const previous = previousId === undefined ? undefined : await transcriptions.find(organizationId, previousId);
    if (isInProgress(previous)) return { transcriptionId: previous.transcriptionId, isNew: false };
    const offer = offersWork(previous, jobRequestOf(recording)) ? previous : undefined;
    const workId = offer && workOf(offer).transcriptionId;
    const ids = { organizationId, transcriptionId, correlationId, ...(workId !== undefined && { workId }) };
    const record = newRecord(ids, recording, now());
    const result = await creation.create(record, previousId, offer);
    if (typeof result === 'object') throw new TooManyMinutes(countedSeconds(record), result.exceeded);
    return result === 'created' ? { transcriptionId, isNew: true } : tryAgain;
  };
  return retry(attempt, {
    maxAttempts,
    maxPauseMs,
    exhausted: 'Too many concurrent requests create transcriptions. Send the request again.',
    pause,
  });
}

function newRecord(ids: WorkOwner & { readonly correlationId: string }, recording: ClosedRecording, now: Date) {
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
    ...(trackRevision !== undefined && { trackRevision }), // of both, the tracks are transcribed
    dueAt: deadlines.jobStart(now),
  } as const;
}
