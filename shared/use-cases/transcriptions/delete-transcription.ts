import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { jobFingerprint, jobRequestOf, leftWorkDueAt, workKeyOf } from '#shared/domain/transcriptions/parts/work.ts';
import {
  isFailed,
  isGone,
  isInProgress,
  isReady,
  type Tombstone,
  type TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import type { JobRemoval } from '#shared/domain/transcriptions/transcription-job.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import type { WorkStore } from './parts/ports.ts';
import type { TranscriptFileStore, TranscriptionJobs, TranscriptionStore } from './ports.ts';
import type { SendTranscriptChange, SpeakerStore } from './speakers/ports.ts';

const maxAttempts = 5;

/** The stores and clock that deleting needs. */
export type DeleteDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'replaceWithTombstone'>;
  readonly works: Pick<WorkStore, 'remove'>;
  readonly files: Pick<TranscriptFileStore, 'removeAllOf' | 'removeWork'>;
  readonly speakers: Pick<SpeakerStore, 'remove'>;
  readonly sendChange: SendTranscriptChange;
  readonly jobs: Pick<TranscriptionJobs, 'remove'>;
  readonly now?: () => Date;
};

/**
 * Deletes a transcription: its speakers, its files, the Transcribe job of one that has ended, and last its row, so that a repetition after a
 * crash still finds the row. A tombstone replaces the row. If the job may still run, the tombstone has a due date, and the
 * reconciler deletes the job and its output later, unless a new transcription of the recording takes them over. Returns false if the
 * transcription does not exist or was deleted before.
 */
export async function deleteTranscription(
  deps: DeleteDependencies,
  organizationId: OrganizationId,
  transcriptionId: string,
): Promise<boolean> {
  const { transcriptions, speakers, files, now = () => new Date() } = deps;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const stored = await transcriptions.find(organizationId, transcriptionId);
    if (isGone(stored)) return false;
    // Who writes files and finds no speakers afterwards removes what it has written.
    const mayHaveTalk = (await speakers.remove(stored)) && isReady(stored);
    await files.removeAllOf(stored);
    const mayHaveJob = stored.type === 'RECORDING_TRANSCRIPTION';
    const jobMayRun = mayHaveJob && (mayBeStarting(stored) || (await removeEndedWork(deps, stored)) === 'later');
    if (mayHaveJob && mayHaveTalk) await sendTalk(deps, stored);
    const deletedAt = now();
    const tombstone = {
      organizationId,
      transcriptionId,
      deletedAt: deletedAt.toISOString(),
      ...(jobMayRun && leftWork(stored, deletedAt)),
    };
    if (await transcriptions.replaceWithTombstone(stored, tombstone, deadlines.tombstoneExpiry(deletedAt))) {
      // The platform may have stored a file after the removal, with an event that met the row before the tombstone.
      if (!mayHaveJob) await files.removeAllOf(stored);
      return true;
    }
    // It ended after it was read, so it may have new files: delete again from the start.
  }
  throw new ServiceUnavailable('The transcription keeps changing. Send the request again.');
}

/** Has the talk times of its session measured without the transcription, whose speakers are gone. */
async function sendTalk(
  { sendChange }: DeleteDependencies,
  { organizationId, transcriptionId, roomSessionId, roomName, correlationId }: TranscriptionRecord,
): Promise<void> {
  await sendChange({ organizationId, transcriptionId, roomSessionId, roomName, correlationId });
}

/**
 * True if a worker may be starting the job: it would start a second one if the first were removed now. That is so while the reconciler
 * checks the transcription. A job that was taken over can also end before the worker has handled the message of its new owner.
 */
function mayBeStarting({ dueAt, workId, jobStartedAt, partCount }: TranscriptionRecord): boolean {
  return dueAt !== undefined || (workId !== undefined && jobStartedAt === undefined && partCount === undefined);
}

/** Removes the job of a transcription that has ended. If it had parts, their jobs are gone, but whoever merged them may have died. */
async function removeEndedWork(
  { works, files, jobs }: DeleteDependencies,
  record: TranscriptionRecord,
): Promise<JobRemoval> {
  const hasParts = record.partCount !== undefined;
  if (!hasParts && (await jobs.remove(record)) === 'later') return 'later';
  // One that failed before its job has started may have failed while its media was prepared.
  if (hasParts || (isFailed(record) && record.jobStartedAt === undefined)) {
    await files.removeWork(workKeyOf(record));
    await works.remove(workKeyOf(record));
  }
  return 'removed';
}

/**
 * What a tombstone says about a job that may still run. A new transcription can take it over, unless this one has failed: whoever asks
 * again after a failure wants another attempt.
 */
function leftWork(record: TranscriptionRecord, deletedAt: Date): Partial<Tombstone> {
  const { workId } = record;
  const request = jobRequestOf(record);
  return {
    dueAt: leftWorkDueAt(record, deletedAt),
    ...(workId !== undefined && { workId }),
    ...(isInProgress(record) && request && { jobFingerprint: jobFingerprint(request) }),
  };
}
