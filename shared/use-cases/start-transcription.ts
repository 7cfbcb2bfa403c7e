import type { FileLocation } from '../contracts/events.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { Failure } from '../contracts/transcription.ts';
import { busyPauseSeconds, deadlines } from '../domain/deadlines.ts';
import { failure, preflightFailure } from '../domain/failures.ts';
import {
  billableSeconds,
  type Conditional,
  isGone,
  type StoredTranscription,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../domain/transcription.ts';
import type { JobStart } from '../domain/transcription-job.ts';

type Request = TranscriptionKey & { readonly attempt: number; readonly correlationId?: string | undefined };

/** What starting needs of the outside. */
export type StartDependencies = {
  readonly transcriptions: {
    find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined>;
    markFailed(record: TranscriptionRecord, failure: Failure): Promise<Conditional>;
    markJobStarted(
      record: TranscriptionRecord,
      dates: { readonly jobStartedAt: string; readonly dueAt: string },
    ): Promise<unknown>;
  };
  readonly due: { postpone(record: TranscriptionRecord, dueAt: string): Promise<void> };
  readonly recordings: { size(location: FileLocation): Promise<number | undefined> };
  readonly jobs: {
    start(record: TranscriptionRecord, location: FileLocation): Promise<JobStart>;
  };
  readonly sendAgain: (request: Request, delaySeconds: number) => Promise<void>;
  readonly now?: () => Date;
};

/** What a request to start came to; `nothing` where somebody or something else had settled it. */
export type StartOutcome =
  | { readonly result: 'started'; readonly recordingSeconds: number }
  | { readonly result: 'busy' | 'failed' | 'given-up' | 'nothing' };

/**
 * Starts the job of a transcription that still waits for it: refuses what Transcribe could not do before it costs
 * anything, starts the job under the one name it can have, and notes when to ask for it. Where Transcribe is busy the
 * request is sent afresh for later, so that a wait never counts as a failure, until the transcription is given up.
 */
export async function startTranscription(deps: StartDependencies, request: Request): Promise<StartOutcome> {
  const { transcriptions, recordings, jobs, now = () => new Date() } = deps;
  const record = await transcriptions.find(request.organizationId, request.transcriptionId);
  if (isGone(record) || record.state !== 'in_progress' || !record.location) return { result: 'nothing' };

  const recordingSeconds = billableSeconds(record.startDate, record.endDate ?? record.startDate);
  const refusal = preflightFailure(recordingSeconds, await recordings.size(record.location));
  if (refusal) return fail(deps, record, failure(refusal));

  const outcome = await jobs.start(record, record.location);
  if (outcome === 'busy') return waitForTranscribe(deps, record, request);
  if (outcome !== 'started') return fail(deps, record, failure(outcome.refused));
  const dates = { jobStartedAt: now().toISOString(), dueAt: deadlines.jobEnd(now(), recordingSeconds) };
  // Where it was deleted meanwhile nothing is noted, and the job is left to its tombstone: one that runs cannot be removed.
  await transcriptions.markJobStarted(record, dates);
  return { result: 'started', recordingSeconds };
}

async function fail(
  { transcriptions }: StartDependencies,
  record: TranscriptionRecord,
  reason: Failure,
  result: 'failed' | 'given-up' = 'failed',
): Promise<StartOutcome> {
  const { applied } = await transcriptions.markFailed(record, reason);
  return { result: applied ? result : 'nothing' };
}

async function waitForTranscribe(
  deps: StartDependencies,
  record: TranscriptionRecord,
  request: Request,
): Promise<StartOutcome> {
  const now = deps.now?.() ?? new Date();
  if (deadlines.isGivenUp(record.createdAt, now, false)) return fail(deps, record, failure('engine_error'), 'given-up');
  const delaySeconds = busyPauseSeconds(request.attempt);
  await deps.sendAgain({ ...request, attempt: request.attempt + 1 }, delaySeconds);
  await deps.due.postpone(record, deadlines.jobStartAfterPause(now, delaySeconds));
  return { result: 'busy' };
}
