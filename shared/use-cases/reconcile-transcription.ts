import type { TranscriptionJobMessage } from '../contracts/messages.ts';
import { deadlines } from '../domain/deadlines.ts';
import { failure } from '../domain/failures.ts';
import { isDeleted, isInProgress, type StoredTranscription, type Tombstone } from '../domain/transcription.ts';
import type { WorkOwner } from '../domain/work.ts';
import type {
  ConditionalOutcome,
  Due,
  DueStore,
  TranscriptFileStore,
  TranscriptionJobs,
  TranscriptionStore,
} from './ports.ts';

/** The stores, queues and clock that reconciling needs. */
export type ReconcileDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'markFailed' | 'abandon' | 'withdrawWork'>;
  readonly due: Pick<DueStore, 'postpone' | 'settle'>;
  readonly files: Pick<TranscriptFileStore, 'removeGenerated'>;
  readonly jobs: Pick<TranscriptionJobs, 'state' | 'remove'>;
  readonly sendJob: (message: TranscriptionJobMessage) => Promise<void>;
  readonly sendResult: (owner: WorkOwner, result: 'completed' | { readonly failureReason: string }) => Promise<void>;
  readonly now?: () => Date;
};

/** What was done about one overdue transcription; logged. */
export type Reconciled = 'settled' | 'cleaned-up' | 'given-up' | 'sent-again' | 'result-sent' | 'postponed';

/**
 * Checks an overdue transcription. If a message was lost, sends it again. Fails a transcription that does not end in time.
 * Removes the output of the job of a failed or deleted one as soon as the job cannot write any more. Every step can be repeated: if
 * one fails, the transcription is still due at the next run.
 */
export async function reconcileTranscription(deps: ReconcileDependencies, due: Due): Promise<Reconciled> {
  const { transcriptions, jobs, now = () => new Date() } = deps;
  const stored = await transcriptions.find(due.organizationId, due.transcriptionId);
  if (!stored) return 'settled'; // the index lags behind the table
  if (!isInProgress(stored)) return stored.dueAt === undefined ? 'settled' : cleanUp(deps, due, stored);
  if (stored.type === 'LIVE_TRANSCRIPTION')
    return givenUp(await transcriptions.markFailed(stored, failure('end_not_reported')));
  const state = await jobs.state(stored);
  const hasEnded = state === 'completed' || typeof state === 'object';
  if (deadlines.isGivenUp(stored.createdAt, now(), hasEnded))
    return givenUp(await transcriptions.abandon(stored, failure('engine_error'), deadlines.leftJob(now())));
  if (state === 'absent') {
    const { organizationId, transcriptionId, correlationId } = stored;
    await deps.sendJob({ organizationId, transcriptionId, correlationId, attempt: 0 });
  }
  if (hasEnded) await deps.sendResult(stored, state);
  await deps.due.postpone(due, deadlines.nextQuestion(now(), new Date(stored.createdAt)));
  if (hasEnded) return 'result-sent';
  return state === 'absent' ? 'sent-again' : 'postponed';
}

function givenUp({ applied }: ConditionalOutcome): Reconciled {
  return applied ? 'given-up' : 'settled'; // it has ended, or was deleted, meanwhile
}

/**
 * Removes the output of a job that has ended or never started, and the job of a deleted transcription. A running job can neither be
 * deleted nor kept from writing, so the reconciler checks it again later.
 */
async function cleanUp(deps: ReconcileDependencies, due: Due, stored: StoredTranscription): Promise<Reconciled> {
  const { transcriptions, jobs, files, due: dates, now = () => new Date() } = deps;
  const removesJob = isDeleted(stored);
  if (removesJob && stored.takenOverBy !== undefined) return leaveToNewOwner(deps, due, stored);
  const isRunning = (await jobs.state(stored)) === 'running';
  if (!isRunning && removesJob && !(await transcriptions.withdrawWork(stored)))
    return leaveToNewOwner(deps, due, stored);
  if (isRunning || (removesJob && (await jobs.remove(stored)) === 'later')) {
    const since = isDeleted(stored) ? stored.deletedAt : stored.createdAt;
    await dates.postpone(due, deadlines.nextQuestion(now(), new Date(since)));
    return 'postponed';
  }
  await files.removeGenerated(stored);
  await dates.settle(due);
  return 'cleaned-up';
}

/**
 * Leaves the job and its output to the transcription that has taken them over. Removes only files that a worker may have written for the
 * deleted transcription since. The output is in the folder of the one that began the work, and the new owner removes that folder.
 */
async function leaveToNewOwner(
  { files, due: dates }: ReconcileDependencies,
  due: Due,
  { workId }: Tombstone,
): Promise<Reconciled> {
  const { organizationId, transcriptionId } = due;
  if (workId !== undefined) await files.removeGenerated({ organizationId, transcriptionId });
  await dates.settle(due);
  return 'cleaned-up';
}
