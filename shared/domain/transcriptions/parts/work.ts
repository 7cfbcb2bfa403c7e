import { createHash } from 'node:crypto';
import type { FileLocation } from '#shared/contracts/events.ts';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { deadlines } from '../deadlines.ts';
import { optionsFingerprint } from '../effective-options.ts';
import {
  isGone,
  type StoredTranscription,
  type Tombstone,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../transcription.ts';
import type { WorkKey } from './transcription-part.ts';

/** A transcription and, if it has taken over the work of an earlier one, the id of that work. */
export type WorkOwner = TranscriptionKey & { readonly workId?: string | undefined };

/** A job: that of a transcription's work, or of one of its parts. */
export type JobOwner = WorkOwner & { readonly part?: number | undefined };

/** What a job is asked for. Two transcriptions that ask for the same can share a job. */
type JobRequest = (
  | { readonly location: FileLocation }
  | { readonly recordingId: string; readonly trackRevision: number }
) & { readonly options?: TranscriptionOptions | undefined };

/**
 * The key of a transcription's work: its Transcribe job and the output of that job. The work is named after the transcription that
 * began it.
 */
export function workOf({ organizationId, transcriptionId, workId = transcriptionId }: WorkOwner): TranscriptionKey {
  return { organizationId, transcriptionId: workId };
}

/** What the job of a recording or of its transcription is asked for. Undefined for a live transcription. */
export function jobRequestOf({
  recordingId,
  trackRevision,
  location,
  options,
}: Pick<TranscriptionRecord, 'recordingId' | 'trackRevision' | 'location' | 'options'>): JobRequest | undefined {
  const { tracks: _, ...ofJob } = options ?? {}; // the request says which files are meant
  const asked = Object.keys(ofJob).length > 0 ? { options: ofJob } : {};
  if (recordingId !== undefined && trackRevision !== undefined) return { recordingId, trackRevision, ...asked };
  return location && { location, ...asked };
}

/** The key of a transcription's work in the store of works that have parts. */
export function workKeyOf(owner: WorkOwner): WorkKey {
  const { organizationId, transcriptionId: workId } = workOf(owner);
  return { organizationId, workId };
}

/** A hash of what a job is asked for. A tombstone keeps it, because a file's name can contain a person's. */
export function jobFingerprint(wanted: JobRequest): string {
  const parts =
    'location' in wanted ? [wanted.location.bucket, wanted.location.key] : [wanted.recordingId, wanted.trackRevision];
  const asked = wanted.options ? [optionsFingerprint(wanted.options)] : [];
  return createHash('sha256')
    .update(JSON.stringify([...parts, ...asked]))
    .digest('base64url');
}

/**
 * When the reconciler first checks the work of a transcription that nobody waits for any more: after every worker has ended that may be
 * preparing its media or starting its job.
 */
export function leftWorkDueAt({ jobStartedAt, partCount }: TranscriptionRecord, now: Date): string {
  const mayBePrepared = jobStartedAt === undefined && partCount === undefined;
  return mayBePrepared ? deadlines.leftPreparation(now) : deadlines.leftJob(now);
}

/** True for a deleted transcription whose work a new transcription can take over, because it asks for the same. */
export function offersWork(
  stored: StoredTranscription | undefined,
  wanted: JobRequest | undefined,
): stored is Tombstone {
  return wanted !== undefined && isGone(stored) && stored?.jobFingerprint === jobFingerprint(wanted);
}
