import type { TranscriptionJobMessage } from '../contracts/messages.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { Failure } from '../contracts/transcription.ts';
import { deadlines } from '../domain/deadlines.ts';
import { failure } from '../domain/failures.ts';
import {
  isDeleted,
  type StoredTranscription,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../domain/transcription.ts';
import type { JobRemoval, JobState } from '../domain/transcription-job.ts';

/** What reconciling needs of the outside. */
export type ReconcileDependencies = {
  readonly transcriptions: {
    find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined>;
    markFailed(record: TranscriptionRecord, failure: Failure): Promise<unknown>;
  };
  readonly due: {
    postpone(due: TranscriptionKey & { readonly dueAt: string }, dueAt: string): Promise<void>;
    settle(due: TranscriptionKey & { readonly dueAt: string }): Promise<void>;
  };
  readonly files: { removeGenerated(owner: TranscriptionKey): Promise<void> };
  readonly jobs: {
    state(owner: TranscriptionKey): Promise<JobState>;
    remove(organizationId: OrganizationId, transcriptionId: string): Promise<JobRemoval>;
  };
  readonly sendJob: (message: TranscriptionJobMessage) => Promise<void>;
  readonly sendResult: (
    owner: TranscriptionKey,
    result: 'completed' | { readonly failureReason: string },
  ) => Promise<void>;
  readonly now?: () => Date;
};

/** What was done about one overdue transcription, for the log. */
export type Reconciled = 'settled' | 'cleaned-up' | 'given-up' | 'sent-again' | 'result-sent' | 'postponed';

/**
 * Asks what became of an overdue transcription and has it started again, finished, or failed; removes what a deleted
 * one's job has written. Each step can be repeated: what dies here is due again at the next run.
 */
export async function reconcileTranscription(
  deps: ReconcileDependencies,
  due: TranscriptionKey & { readonly dueAt: string },
): Promise<Reconciled> {
  const { transcriptions, jobs, now = () => new Date() } = deps;
  const stored = await transcriptions.find(due.organizationId, due.transcriptionId);
  if (!stored) return 'settled'; // the index is behind
  if (isDeleted(stored)) return cleanUpDeleted(deps, due, new Date(stored.deletedAt));
  if (stored.state !== 'in_progress') return 'settled';

  if (stored.type === 'LIVE_TRANSCRIPTION') {
    await transcriptions.markFailed(
      stored,
      failure('engine_error', 'The platform never said how the live transcription ended.'),
    );
    return 'given-up';
  }
  const state = await jobs.state(due);
  const hasEnded = state === 'completed' || typeof state === 'object';
  if (deadlines.isGivenUp(stored.createdAt, now(), hasEnded)) {
    await transcriptions.markFailed(stored, failure('engine_error'));
    return 'given-up';
  }
  if (state === 'absent') {
    const { organizationId, transcriptionId, correlationId } = stored;
    await deps.sendJob({ organizationId, transcriptionId, correlationId, attempt: 0 });
  }
  if (hasEnded) await deps.sendResult(due, state);
  await deps.due.postpone(due, deadlines.nextQuestion(now(), new Date(stored.createdAt)));
  if (hasEnded) return 'result-sent';
  return state === 'absent' ? 'sent-again' : 'postponed';
}

/** A job could not be removed while it ran; once it has ended, what it wrote is nobody's. */
async function cleanUpDeleted(
  { jobs, files, due: dates, now = () => new Date() }: ReconcileDependencies,
  due: TranscriptionKey & { readonly dueAt: string },
  deletedAt: Date,
): Promise<Reconciled> {
  const isRunning = (await jobs.state(due)) === 'running';
  if (isRunning || (await jobs.remove(due.organizationId, due.transcriptionId)) === 'later') {
    await dates.postpone(due, deadlines.nextQuestion(now(), deletedAt));
    return 'postponed';
  }
  await files.removeGenerated(due);
  await dates.settle(due);
  return 'cleaned-up';
}
