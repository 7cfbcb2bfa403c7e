import type { Failure } from '../contracts/transcription.ts';
import { busyPauseSeconds, deadlines } from '../domain/deadlines.ts';
import { failure, preflightFailure } from '../domain/failures.ts';
import { secondsToGiveBack } from '../domain/recognized-seconds.ts';
import {
  billableSeconds,
  isInProgress,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../domain/transcription.ts';
import { retry, tryAgain } from '../retry.ts';
import type { DueStore, RecordingFiles, TranscriptionJobs, TranscriptionRefusal, TranscriptionStore } from './ports.ts';

/** A request to start a job: the message of the queue. */
export type StartRequest = TranscriptionKey & { readonly attempt: number; readonly correlationId?: string | undefined };

/** The stores, queue and clock that starting needs. */
export type StartDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'abandon' | 'markJobStarted'>;
  readonly due: Pick<DueStore, 'postpone'>;
  readonly recordings: RecordingFiles;
  readonly jobs: Pick<TranscriptionJobs, 'start'>;
  readonly refusal: TranscriptionRefusal;
  readonly sendAgain: (request: StartRequest, delaySeconds: number) => Promise<void>;
  readonly now?: () => Date;
  /** A number from 0 up to 1, for the jitter of waits. */
  readonly random?: () => number;
};

/**
 * Result of a request to start. `taken-over`: the job of an earlier transcription serves this one. `nothing`: the transcription does
 * not exist, is no longer in progress, has no recording location, or has parts, so this call changed nothing.
 */
export type StartOutcome =
  | { readonly result: 'started'; readonly recordingSeconds: number }
  | { readonly result: 'taken-over' | 'busy' | 'failed' | 'given-up' | 'nothing' };

/**
 * Starts the Transcribe job of a transcription that is in progress. If the recording is missing, unreadable, too long or too large, the
 * transcription fails without a job, so it costs nothing. If Transcribe is busy, this function sends a new request with a
 * delay, so that waiting does not count as a failed delivery. 24 hours after its creation, a transcription that still waits
 * fails.
 */
export async function startTranscription(deps: StartDependencies, request: StartRequest): Promise<StartOutcome> {
  const { transcriptions, recordings, jobs, now = () => new Date() } = deps;
  const record = await transcriptions.find(request.organizationId, request.transcriptionId);
  if (!isInProgress(record) || !record.location || record.partCount !== undefined) return { result: 'nothing' };

  const recordingSeconds = billableSeconds(record.startDate, record.endDate ?? record.startDate);
  // Once the job has started, Transcribe itself says what is wrong with the recording.
  const hasStarted = record.jobStartedAt !== undefined;
  const refusal = hasStarted ? undefined : preflightFailure(recordingSeconds, await recordings.size(record.location));
  if (refusal) return fail(deps, record, refusal);

  const outcome = await jobs.start(record, record.location);
  if (outcome === 'busy') return waitForTranscribe(deps, record, request);
  if (typeof outcome === 'object') return fail(deps, record, failure(outcome.refused));
  const dates = { jobStartedAt: now().toISOString(), dueAt: deadlines.jobEnd(now(), recordingSeconds) };
  // Stores nothing if the transcription has ended or was deleted meanwhile. The reconciler deletes the job of a deleted one later.
  await transcriptions.markJobStarted(record, dates);
  if (outcome === 'exists' && record.workId !== undefined) return { result: 'taken-over' };
  return { result: 'started', recordingSeconds };
}

async function fail(
  deps: StartDependencies,
  record: TranscriptionRecord,
  reason: Failure,
  result: 'failed' | 'given-up' = 'failed',
): Promise<StartOutcome> {
  const exhausted = 'Too many concurrent requests count in the same day. The message comes again.';
  const maxPauseMs = (failedAttempts: number) => 25 * 2 ** failedAttempts;
  const { applied } = await retry(() => abandon(deps, record, reason), { maxAttempts: 6, maxPauseMs, exhausted });
  return { result: applied ? result : 'nothing' };
}

async function abandon(
  { transcriptions, refusal, now = () => new Date() }: StartDependencies,
  record: TranscriptionRecord,
  reason: Failure,
) {
  // An earlier delivery of the message may have started the job, and died before it could say so.
  const dueAt = deadlines.leftJob(now());
  const seconds = secondsToGiveBack(record, now());
  if (seconds === 0) return transcriptions.abandon(record, reason, dueAt);
  const outcome = await refusal.abandonAndGiveBack(record, reason, dueAt, seconds);
  return outcome === 'lost-race' ? tryAgain : outcome;
}

async function waitForTranscribe(
  deps: StartDependencies,
  record: TranscriptionRecord,
  request: StartRequest,
): Promise<StartOutcome> {
  const { sendAgain, due, now = () => new Date(), random = Math.random } = deps;
  if (deadlines.isGivenUp(record.createdAt, now(), false)) {
    return fail(deps, record, failure('engine_error'), 'given-up');
  }
  const delaySeconds = busyPauseSeconds(request.attempt, random());
  await sendAgain({ ...request, attempt: request.attempt + 1 }, delaySeconds);
  await due.postpone(record, deadlines.jobStartAfterPause(now(), delaySeconds));
  return { result: 'busy' };
}
