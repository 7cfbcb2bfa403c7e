import type { TranscribeJobs } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import { TranscribeJobStateChange } from '#shared/contracts/messages.ts';
import { failure } from '#shared/domain/failures.ts';
import { addToLogContext, type LogFacts, log } from '#shared/logger.ts';
import { measuredEnd, recordMetrics } from '#shared/metrics.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { type FinishDependencies, finishTranscription } from '#shared/use-cases/finish-transcription.ts';

type Deps = FinishDependencies & {
  readonly queue: WorkerQueue;
  readonly jobs: Pick<TranscribeJobs, 'endOf'>;
};

/**
 * Handles Transcribe's events, and messages of the reconciler if an event was lost. They may come twice, late, or after the
 * transcription was deleted. Writes the transcript in every format, or stores why there is none.
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
    const finished = await finishTranscription(deps, work, failureCode && failure(failureCode));
    if (finished && finished.transcriptionId !== work.transcriptionId)
      addToLogContext({ transcriptionId: finished.transcriptionId, workId: work.transcriptionId });
    if (failureCode) log.info('job failed', { failureCode, failureReason });
    if (finished) recordMetrics(measuredEnd(finished, deps.now?.() ?? new Date()));
  });
};
