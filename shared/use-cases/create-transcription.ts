import { randomUUID } from 'node:crypto';
import type { OrganizationId } from '../contracts/organization.ts';
import { deadlines } from '../domain/deadlines.ts';
import { countedSeconds } from '../domain/recognized-seconds.ts';
import type { RecordingRecord } from '../domain/recording.ts';
import { isInProgress } from '../domain/transcription.ts';
import { transitions } from '../domain/transcription-states.ts';
import { offersWork, type WorkOwner, workOf } from '../domain/work.ts';
import { RecordingNotFound, TooManyMinutes } from '../errors.ts';
import { type Pause, retry, tryAgain } from '../retry.ts';
import type { RecognitionCeiling, RecordingStore, TranscriptionCreation, TranscriptionStore } from './ports.ts';

type CreationOutcome = { readonly transcriptionId: string; readonly isNew: boolean };

const maxAttempts = 8;
const maxPauseMs = 50;

/** What `createTranscription` needs. Tests replace the clock, the ids and the pause. */
export type CreateDependencies = {
  readonly recordings: Pick<RecordingStore, 'find'>;
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly creation: TranscriptionCreation;
  readonly ceiling: RecognitionCeiling;
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
 * `RecordingNotFound`, `TooManyMinutes` if the recording does not fit under the organization's ceiling, and `ServiceUnavailable`
 * after 8 lost races.
 */
export async function createTranscription(
  {
    recordings,
    transcriptions,
    creation,
    ceiling,
    now = () => new Date(),
    newId = randomUUID,
    pause,
  }: CreateDependencies,
  { organizationId, recordingId, correlationId }: CreationRequest,
): Promise<CreationOutcome> {
  const transcriptionId = newId();
  let counted: { readonly seconds: number; readonly at: Date } | undefined;
  let takesOver = false;
  const attempt = async (): Promise<CreationOutcome | typeof tryAgain> => {
    const recording = await recordings.find(organizationId, recordingId);
    if (!recording) throw new RecordingNotFound();
    const previousId = recording.latestTranscriptionId;
    if (previousId === transcriptionId) return { transcriptionId, isNew: true }; // created by an earlier attempt, whose answer was lost
    const previous = previousId === undefined ? undefined : await transcriptions.find(organizationId, previousId);
    if (isInProgress(previous)) return { transcriptionId: previous.transcriptionId, isNew: false };
    const offer = offersWork(previous, recording) ? previous : undefined;
    if (!offer) counted ??= await count(ceiling, recording, now());
    const ids = {
      organizationId,
      transcriptionId,
      correlationId,
      ...(offer && { workId: workOf(offer).transcriptionId }),
    };
    const record = newRecord(ids, recording, counted?.at ?? now());
    if (!(await creation.create(record, previousId, offer))) return tryAgain;
    takesOver = offer !== undefined;
    return { transcriptionId, isNew: true };
  };
  const outcome = await retry(attempt, {
    maxAttempts,
    maxPauseMs: () => maxPauseMs,
    exhausted: 'Too many concurrent requests create a transcription of this recording. Send the request again.',
    pause,
  });
  if (counted && (takesOver || !outcome.isNew))
    await ceiling.giveBack(organizationId, counted.seconds, counted.at, now());
  return outcome;
}

/** Counts the recording before its transcription can cost anything. If this process dies before it creates it, the count remains until the day ends. */
async function count(ceiling: RecognitionCeiling, recording: RecordingRecord, at: Date) {
  const seconds = countedSeconds(recording);
  const allowance = await ceiling.take(recording.organizationId, seconds, at);
  if (allowance.isExceeded) throw new TooManyMinutes(seconds, allowance);
  return { seconds, at };
}

function newRecord(ids: WorkOwner & { readonly correlationId: string }, recording: RecordingRecord, now: Date) {
  const { recordingId, roomName, roomSessionId, startDate, endDate, location } = recording;
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
    location,
    dueAt: deadlines.jobStart(now),
  } as const;
}
