import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { FileLocation } from '../contracts/events.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import { deadlines } from '../domain/deadlines.ts';
import {
  isGone,
  type StoredTranscription,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../domain/transcription.ts';
import { RecordingNotFound, ServiceUnavailable } from '../errors.ts';

const maxAttempts = 8;
const maxPauseMs = 50;

type Recording = {
  readonly recordingId: string;
  readonly roomName: string;
  readonly roomSessionId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly location: FileLocation;
  readonly latestTranscriptionId?: string | undefined;
};

/** What creating needs of the outside. */
export type CreateDependencies = {
  readonly recordings: { find(organizationId: OrganizationId, recordingId: string): Promise<Recording | undefined> };
  readonly transcriptions: {
    find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined>;
  };
  readonly creation: {
    /** False where the recording has another newest transcription than `previousId` by now. */
    create(
      record: TranscriptionRecord & { readonly recordingId: string },
      previousId: string | undefined,
    ): Promise<boolean>;
  };
  readonly now?: () => Date;
  readonly newId?: () => string;
};

/** Which recording, whose, and by which call. */
export type CreationRequest = {
  readonly organizationId: OrganizationId;
  readonly recordingId: string;
  readonly correlationId: string;
};

/**
 * The recording's unfinished transcription, or else a new one. Of calls that race one creates and the others find what it
 * created. Throws `RecordingNotFound`.
 */
export async function createTranscription(
  { recordings, transcriptions, creation, now = () => new Date(), newId = randomUUID }: CreateDependencies,
  { organizationId, recordingId, correlationId }: CreationRequest,
): Promise<{ readonly transcriptionId: string; readonly isNew: boolean }> {
  const transcriptionId = newId();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const recording = await recordings.find(organizationId, recordingId);
    if (!recording) throw new RecordingNotFound();
    const previousId = recording.latestTranscriptionId;
    if (previousId === transcriptionId) return { transcriptionId, isNew: true }; // an earlier try whose answer was lost
    const previous = previousId === undefined ? undefined : await transcriptions.find(organizationId, previousId);
    if (!isGone(previous) && previous.state === 'in_progress') {
      return { transcriptionId: previous.transcriptionId, isNew: false };
    }
    if (
      await creation.create(newRecord({ organizationId, transcriptionId, correlationId }, recording, now()), previousId)
    ) {
      return { transcriptionId, isNew: true };
    }
    await setTimeout(Math.random() * maxPauseMs); // so that those who race do not race again in step
  }
  throw new ServiceUnavailable('Too many calls create a transcription of this recording. Send the request again.');
}

function newRecord(ids: TranscriptionKey & { readonly correlationId: string }, recording: Recording, now: Date) {
  const { recordingId, roomName, roomSessionId, startDate, endDate, location } = recording;
  return {
    ...ids,
    recordingId,
    roomName,
    roomSessionId,
    createdAt: now.toISOString(),
    startDate,
    endDate,
    state: 'in_progress',
    durationInSeconds: 0,
    type: 'RECORDING_TRANSCRIPTION',
    filename: null,
    storageType: 'SERVICE_HOSTED',
    location,
    dueAt: deadlines.jobStart(now),
  } as const;
}
