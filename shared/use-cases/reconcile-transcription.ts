import type { TranscriptionJobMessage } from '../contracts/messages.ts';
import type { FailureCode } from '../contracts/transcription.ts';
import { deadlines } from '../domain/deadlines.ts';
import { failure } from '../domain/failures.ts';
import { isDeleted, isInProgress, type TranscriptionKey } from '../domain/transcription.ts';
import type { Due, DueStore, TranscriptFileStore, TranscriptionJobs, TranscriptionStore } from './ports.ts';

/** The stores, queues and clock that reconciling needs. */
export type ReconcileDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'markFailed'>;
  readonly due: Pick<DueStore, 'postpone' | 'settle'>;
  readonly files: Pick<TranscriptFileStore, 'removeGenerated'>;
  readonly jobs: Pick<TranscriptionJobs, 'state' | 'remove'>;
  readonly sendJob: (message: TranscriptionJobMessage) => Promise<void>;
  readonly sendResult: (
    owner: TranscriptionKey,
    result: 'completed' | { readonly failureReason: string },
  ) => Promise<void>;
  readonly now?: () => Date;
};

/** What was done about one overdue transcription; logged. */
export type Reconciled = 'settled' | 'cleaned-up' | 'given-up' | 'sent-again' | 'result-sent' | 'postponed';

/**
 * Checks an overdue transcription. If a message was lost, sends it again. Fails a transcription that does not end in time.
 * Deletes the job of a deleted transcription and its output. Every step can be repeated: if one fails, the transcription is still
 * due at the next run.
 */
export async function reconcileTranscription(deps: ReconcileDependencies, due: Due): Promise<Reconciled> {
  const { transcriptions, jobs, now = () => new Date() } = deps;
  const stored = await transcriptions.find(due.organizationId, due.transcriptionId);
  if (!stored) return 'settled'; // the index lags behind the table
  if (isDeleted(stored)) return cleanUpDeleted(deps, due, new Date(stored.deletedAt));
  if (!isInProgress(stored)) return 'settled';

  const giveUp = async (code: FailureCode): Promise<Reconciled> => {
    const { applied } = await transcriptions.markFailed(stored, failure(code));
    return applied ? 'given-up' : 'settled'; // it has ended, or was deleted, meanwhile
  };
  if (stored.type === 'LIVE_TRANSCRIPTION') return giveUp('end_not_reported');
  const state = await jobs.state(due);
  const hasEnded = state === 'completed' || typeof state === 'object';
  if (deadlines.isGivenUp(stored.createdAt, now(), hasEnded)) return giveUp('engine_error');
  if (state === 'absent') {
    const { organizationId, transcriptionId, correlationId } = stored;
    await deps.sendJob({ organizationId, transcriptionId, correlationId, attempt: 0 });
  }
  if (hasEnded) await deps.sendResult(due, state);
  await deps.due.postpone(due, deadlines.nextQuestion(now(), new Date(stored.createdAt)));
  if (hasEnded) return 'result-sent';
  return state === 'absent' ? 'sent-again' : 'postponed';
}

/** Deletes the job and its output. A job that is running cannot be deleted, so the reconciler checks it again later. */
async function cleanUpDeleted(
  { jobs, files, due: dates, now = () => new Date() }: ReconcileDependencies,
  due: Due,
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
