import type { OrganizationId } from '../contracts/organization.ts';
import { deadlines } from '../domain/deadlines.ts';
import { isGone } from '../domain/transcription.ts';
import { ServiceUnavailable } from '../errors.ts';
import type { TranscriptFileStore, TranscriptionJobs, TranscriptionStore } from './ports.ts';

const maxAttempts = 5;

/** The stores and clock that deleting needs. */
export type DeleteDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'replaceWithTombstone'>;
  readonly files: Pick<TranscriptFileStore, 'removeAllOf'>;
  readonly jobs: Pick<TranscriptionJobs, 'remove'>;
  readonly now?: () => Date;
};

/**
 * Deletes a transcription: its files, the Transcribe job of one that has ended, and last its row, so that a repetition after a
 * crash still finds the row. A tombstone replaces the row. If the job may still run, the tombstone has a due date, and the
 * reconciler deletes the job and its output later. Returns false if the transcription does not exist or was deleted before.
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
    // While the reconciler checks it, a worker may be starting its job, and would start a second one if the first were removed now.
    const jobMayRun =
      mayHaveJob && (stored.dueAt !== undefined || (await jobs.remove(organizationId, transcriptionId)) === 'later');
    const deletedAt = now();
    const tombstone = {
      organizationId,
      transcriptionId,
      deletedAt: deletedAt.toISOString(),
      ...(jobMayRun && { dueAt: deadlines.leftJob(deletedAt) }),
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
