import type { JobKey } from '#shared/adapters/transcriptions/job-name.ts';
import type { TranscribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import { TranscribeJobStateChange } from '#shared/contracts/messages.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { addToLogContext, type LogFacts, log } from '#shared/runtime/logger.ts';
import { measuredEnd, recordMetrics } from '#shared/runtime/metrics.ts';
import { type FinishDependencies, finishTranscription } from '#shared/use-cases/transcriptions/finish-transcription.ts';
import { type FinishPartDependencies, finishPart } from '#shared/use-cases/transcriptions/parts/finish-part.ts';

type Deps = FinishDependencies &
  FinishPartDependencies & {
    readonly queue: WorkerQueue;
    readonly jobs: Pick<TranscribeJobs, 'endOf'>;
  };

/**
 * Handles Transcribe's events, and messages of the reconciler if an event was lost. They may come twice, late, or after the
 * transcription was deleted. Writes the transcript in every format, or stores why there is none. Of a part, it only stores the end, and
 * goes on with the others.
 */
export const createHandler = ({ queue, ...deps }: Deps) => {
  const factsOf = (message: TranscribeJobStateChange): LogFacts => ({
    ...deps.jobs.endOf(message).work,
    jobStatus: message.detail.TranscriptionJobStatus,
  });

  const name = 'finish-transcription';
  return worker({ name, schema: TranscribeJobStateChange, queue, factsOf }, async (message) => {
    const { work, failureCode } = deps.jobs.endOf(message);
    if (!work) return log.info('not a job of this service');
    // Transcribe's message may quote the recording's name, so only unknown reasons are logged.
    const failureReason = failureCode === 'engine_error' ? message.detail.FailureReason : undefined;
    const { part } = work;
    if (part === undefined) await finishWhole(deps, work, failureCode);
    else await finishOne(deps, { ...work, part }, failureCode);
    if (failureCode) log.info('job failed', { failureCode, failureReason });
  });
};

async function finishWhole(deps: FinishDependencies, work: JobKey, failureCode: FailureCode | undefined) {
  const finished = await finishTranscription(deps, work, failureCode && failure(failureCode));
  if (!finished) return;
  if (finished.transcriptionId !== work.transcriptionId)
    addToLogContext({ transcriptionId: finished.transcriptionId, workId: work.transcriptionId });
  recordMetrics(measuredEnd(finished, deps.now?.() ?? new Date()));
}

async function finishOne(
  deps: FinishPartDependencies,
  { organizationId, transcriptionId: workId, part }: JobKey & { readonly part: number },
  failureCode: FailureCode | undefined,
) {
  const hasEndedNow = await finishPart(deps, { organizationId, workId, part }, failureCode);
  if (hasEndedNow && failureCode) recordMetrics({ PartsFailed: 1 });
}
