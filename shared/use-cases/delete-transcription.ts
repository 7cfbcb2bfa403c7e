import type { OrganizationId } from '../contracts/organization.ts';
import { deadlines } from '../domain/deadlines.ts';
import { isGone, type StoredTranscription, type Tombstone, type TranscriptionRecord } from '../domain/transcription.ts';
import type { JobRemoval } from '../domain/transcription-job.ts';
import { ServiceUnavailable } from '../errors.ts';

const maxAttempts = 5;

/** What deleting needs of the outside. */
export type DeleteDependencies = {
  readonly transcriptions: {
    find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined>;
    /** Puts the tombstone in the record's place; false where the record has changed its state meanwhile. */
    bury(record: TranscriptionRecord, tombstone: Tombstone, expiresAt: number): Promise<boolean>;
  };
  readonly files: { removeAllOf(record: TranscriptionRecord): Promise<void> };
  readonly jobs: { remove(organizationId: OrganizationId, transcriptionId: string): Promise<JobRemoval> };
  readonly now?: () => Date;
};

/**
 * Deletes a transcription whole: files, Transcribe's job, row, in this order, so that a crash leaves a row that the next
 * attempt finds. What is not there (any more) is deleted already. A job that still runs cannot be deleted: the tombstone
 * has a due date, and the reconciler removes the job and what it writes. False where there was nothing to delete.
 */
export async function deleteTranscription(
  { transcriptions, files, jobs, now = () => new Date() }: DeleteDependencies,
  organizationId: OrganizationId,
  transcriptionId: string,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const stored = await transcriptions.find(organizationId, transcriptionId);
    if (isGone(stored)) return false;
    await files.removeAllOf(stored);
    const mayHaveJob = stored.type === 'RECORDING_TRANSCRIPTION';
    const removal = mayHaveJob ? await jobs.remove(organizationId, transcriptionId) : 'removed';
    // One that waits may be started this very moment.
    const jobMayRun = removal === 'later' || (mayHaveJob && stored.state === 'in_progress');
    const deletedAt = now();
    const tombstone = {
      organizationId,
      transcriptionId,
      deletedAt: deletedAt.toISOString(),
      ...(jobMayRun && { dueAt: deadlines.nextQuestion(deletedAt, deletedAt) }),
    };
    if (await transcriptions.bury(stored, tombstone, deadlines.tombstoneExpiry(deletedAt))) return true;
    // It came to its end between the removal and the burial: its files are new, so once more from the start.
  }
  throw new ServiceUnavailable('The transcription keeps changing. Send the request again.');
}
