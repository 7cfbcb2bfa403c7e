import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { FAILURE_REASONS, JobFailure } from './failure.ts';
import { isUnfinished, type Job, nameOf } from './job.ts';
import type { JobStore } from './job-store.ts';
import type { Log } from './log.ts';
import type { Transcriber } from './transcript/transcribe-media.ts';

/**
 * Runs jobs side by side, in the order of their arrival, until each is COMPLETED or FAILED. A job for which the disk has
 * no room runs again.
 */
export type JobRunner = {
  add(job: Job): void;
  /** Aborts the running jobs. They stay unfinished on disk and run again at the next start. */
  stop(): Promise<void>;
};

/** What a job runner uses. `announce` receives each ended job and must not throw. */
export type JobRunnerDeps = {
  store: JobStore;
  transcribe: Transcriber;
  announce: (job: Job) => Promise<void>;
  /** How many jobs run at once. Recognition keeps a core busy. */
  jobsAtOnce: number;
  log: Log;
  now?: () => Date;
  /** How long a job for which the disk has no room waits. */
  fullDiskPauseMs?: number;
};

/** Creates a job runner. It starts with the unfinished jobs of the last process. */
export function createJobRunner({
  store,
  transcribe,
  announce,
  jobsAtOnce,
  log,
  now = () => new Date(),
  fullDiskPauseMs = 10_000,
}: JobRunnerDeps): JobRunner {
  const stopping = new AbortController();
  const { signal } = stopping;
  const limited = pLimit(jobsAtOnce);
  const unfinished = new Set<Promise<void>>();

  const run = async (job: Job): Promise<void> => {
    if (signal.aborted) return;
    const running: Job = { ...job, status: 'IN_PROGRESS', startedAt: now().toISOString() };
    await store.save(running);
    const [outcome] = await Promise.allSettled([transcribe(job.request, signal)]);
    if (signal.aborted) return;
    if (outcome.status === 'rejected' && hasNoRoom(outcome.reason)) throw outcome.reason;
    const end =
      outcome.status === 'fulfilled'
        ? { status: 'COMPLETED' as const, result: outcome.value }
        : { status: 'FAILED' as const, failureReason: explain(outcome.reason, job, log) };
    const ended: Job = { ...running, ...end, completedAt: now().toISOString() };
    await store.save(ended);
    log('transcribe_job_ended', { job: nameOf(ended), status: ended.status, durationMs: durationOf(ended) });
    await announce(ended);
  };

  const runWithRoom = async (job: Job): Promise<void> => {
    try {
      await run(job);
    } catch (error) {
      if (!hasNoRoom(error)) throw error;
      log('transcribe_job_waits', { job: nameOf(job), reason: 'disk full' });
      await delay(fullDiskPauseMs, undefined, { signal }).catch(() => undefined);
      await runWithRoom(job);
    }
  };

  const add = (job: Job): void => {
    const ended = limited(runWithRoom, job)
      .catch((error: unknown) => log('transcribe_job_not_saved', { job: nameOf(job), error: String(error) }))
      .finally(() => unfinished.delete(ended));
    unfinished.add(ended);
  };
  store.all().filter(isUnfinished).forEach(add);
  return {
    add,
    async stop() {
      stopping.abort();
      await Promise.all(unfinished);
    },
  };
}

const hasNoRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

function explain(error: unknown, job: Job, log: Log): string {
  if (error instanceof JobFailure) {
    log('transcribe_job_failed', { job: nameOf(job), reason: error.reason });
    return error.message;
  }
  // Logs the error name only: a message could contain the key or content of the recording.
  const name = error instanceof Error ? error.name : 'unknown';
  log('transcribe_job_failed', { job: nameOf(job), reason: 'internal', error: name });
  return FAILURE_REASONS.internal;
}

const durationOf = ({ startedAt = '', completedAt = '' }: Job): number =>
  Date.parse(completedAt) - Date.parse(startedAt);
