import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import { type JobOwner, leftWorkDueAt, workKeyOf } from '#shared/domain/transcriptions/parts/work.ts';
import {
  isDeleted,
  isInProgress,
  type StoredTranscription,
  type Tombstone,
  type TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import { isDenial, type JobRemoval, type JobState } from '#shared/domain/transcriptions/transcription-job.ts';
import { giveUpWaitingParts } from './parts/give-up-parts.ts';
import type { WorkStore } from './parts/ports.ts';
import {
  failureOfParts,
  haveAllEnded,
  healParts,
  type PartsDependencies,
  partsWithJob,
} from './parts/reconcile-parts.ts';
import type {
  ConditionalOutcome,
  Due,
  DueStore,
  TranscriptFileStore,
  TranscriptionJobs,
  TranscriptionStore,
} from './ports.ts';

/** The stores, queues and clock that reconciling needs. */
export type ReconcileDependencies = PartsDependencies & {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'markFailed' | 'abandon' | 'withdrawWork'>;
  readonly due: Pick<DueStore, 'postpone' | 'settle'>;
  readonly works: Pick<WorkStore, 'listParts' | 'endPart' | 'remove'>;
  readonly files: Pick<TranscriptFileStore, 'removeGenerated' | 'removeWork'>;
  readonly jobs: Pick<TranscriptionJobs, 'state' | 'remove'>;
};

/** What was done about one overdue transcription; logged. */
export type Reconciled = 'settled' | 'cleaned-up' | 'given-up' | 'sent-again' | 'result-sent' | 'postponed' | 'denied';

/**
 * Checks an overdue transcription. If a message was lost, sends it again. Fails a transcription that does not end in time.
 * Removes the output of the job of a failed or deleted one as soon as the job cannot write any more. Every step can be repeated: if
 * one fails, the transcription is still due at the next run.
 */
export async function reconcileTranscription(deps: ReconcileDependencies, due: Due): Promise<Reconciled> {
  const { transcriptions, now = () => new Date() } = deps;
  const stored = await transcriptions.find(due.organizationId, due.transcriptionId);
  if (!stored) return 'settled'; // the index lags behind the table
  if (!isInProgress(stored)) return stored.dueAt === undefined ? 'settled' : cleanUp(deps, due, stored);
  if (stored.type === 'LIVE_TRANSCRIPTION')
    return givenUp(await transcriptions.markFailed(stored, failure('end_not_reported')));
  let check = stored.partCount === undefined ? await checkJob(deps, stored) : await checkParts(deps, stored);
  const isOver = deadlines.isGivenUp(stored.createdAt, now(), check.hasEnded);
  if (isOver && (await keepsParts(deps, stored, now()))) check = await checkParts(deps, stored);
  else if (isOver)
    return givenUp(
      await transcriptions.abandon(stored, failure(await check.failureCode()), leftWorkDueAt(stored, now())),
    );
  const healed = await check.heal();
  await deps.due.postpone(due, deadlines.nextQuestion(now(), new Date(stored.createdAt)));
  return healed;
}

/** What is known about the work of a transcription in progress, with what it fails if it is given up, and how what was lost is sent again. */
type WorkCheck = {
  readonly hasEnded: boolean;
  readonly failureCode: () => FailureCode | Promise<FailureCode>;
  readonly heal: () => Promise<Reconciled>;
};

async function checkJob(deps: ReconcileDependencies, record: TranscriptionRecord): Promise<WorkCheck> {
  const state = await deps.jobs.state(record);
  const hasEnded = state === 'completed' || (typeof state === 'object' && !isDenial(state));
  const failureCode = () => (isDenial(state) ? state.denied : 'engine_error');
  return { hasEnded, failureCode, heal: () => healJob(deps, record, state) };
}

async function healJob(deps: ReconcileDependencies, record: TranscriptionRecord, state: JobState): Promise<Reconciled> {
  if (state === 'running') return 'postponed';
  if (isDenial(state)) return 'denied';
  if (state !== 'absent') {
    await deps.sendResult(record, state);
    return 'result-sent';
  }
  const { organizationId, transcriptionId, correlationId } = record;
  await deps.sendJobs(organizationId, [{ organizationId, transcriptionId, correlationId, attempt: 0 }]);
  return 'sent-again';
}

async function checkParts(deps: ReconcileDependencies, record: TranscriptionRecord): Promise<WorkCheck> {
  const parts = await deps.works.listParts(workKeyOf(record));
  return {
    hasEnded: haveAllEnded(record, parts),
    failureCode: () => failureOfParts(deps, record, parts),
    heal: () => healParts(deps, record, parts),
  };
}

/** True if parts that are done can still become a transcript. Those that wait have failed then. */
async function keepsParts({ works }: ReconcileDependencies, record: TranscriptionRecord, now: Date): Promise<boolean> {
  if (record.partCount === undefined || deadlines.isGivenUp(record.createdAt, now, true)) return false;
  return giveUpWaitingParts(works, workKeyOf(record));
}

function givenUp({ applied }: ConditionalOutcome): Reconciled {
  return applied ? 'given-up' : 'settled'; // it has ended, or was deleted, meanwhile
}

/**
 * Removes the output of a job that has ended or never started, and the job of a deleted transcription. A running job can neither be
 * deleted nor kept from writing, so the reconciler checks it again later. A work that has parts goes as a whole, because only its rows
 * name its jobs.
 */
async function cleanUp(deps: ReconcileDependencies, due: Due, stored: StoredTranscription): Promise<Reconciled> {
  const { transcriptions, works, files, due: dates, now = () => new Date() } = deps;
  const wasDeleted = isDeleted(stored);
  if (wasDeleted && stored.takenOverBy !== undefined) return leaveToNewOwner(deps, due, stored);
  const work = workKeyOf(stored);
  const parts = await works.listParts(work);
  const owners = partsWithJob(parts, deps.partsAtOnce).map(({ part }): JobOwner => ({ ...stored, part }));
  const jobs = parts.length > 0 ? owners : [stored];
  const mayRun = await mayAnyRun(deps, jobs);
  if (!mayRun && wasDeleted && !(await transcriptions.withdrawWork(stored))) return leaveToNewOwner(deps, due, stored);
  const removesJobs = wasDeleted || parts.length > 0;
  if (mayRun || (removesJobs && (await removeJobs(deps, jobs)) === 'later')) {
    const since = wasDeleted ? stored.deletedAt : stored.createdAt;
    await dates.postpone(due, deadlines.nextQuestion(now(), new Date(since)));
    return 'postponed';
  }
  await files.removeGenerated(stored);
  await files.removeWork(work);
  await works.remove(work); // last, because they name what has to be removed
  await dates.settle(due);
  return 'cleaned-up';
}

async function mayAnyRun({ jobs }: ReconcileDependencies, owners: readonly JobOwner[]): Promise<boolean> {
  for (const owner of owners) {
    const state = await jobs.state(owner);
    if (state === 'running' || isDenial(state)) return true;
  }
  return false;
}

async function removeJobs({ jobs }: ReconcileDependencies, owners: readonly JobOwner[]): Promise<JobRemoval> {
  for (const owner of owners) if ((await jobs.remove(owner)) === 'later') return 'later';
  return 'removed';
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
