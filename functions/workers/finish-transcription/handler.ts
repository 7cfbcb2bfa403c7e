import type { TranscribeJobs } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import { TranscribeJobStateChange } from '#shared/contracts/messages.ts';
import { failure } from '#shared/domain/failures.ts';
import { type FinishDependencies, finishTranscription } from '#shared/domain/finish-transcription.ts';
import { type LogFacts, log } from '#shared/logger.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';

type Deps = FinishDependencies & {
  readonly queue: WorkerQueue;
  readonly jobs: Pick<TranscribeJobs, 'endOf' | 'remove'>;
};

/**
 * Fed by Transcribe's events, and by the reconciler where those got lost: possibly twice, late, or for a transcription
 * that was deleted meanwhile. Writes the transcript in every format, or records why there is none.
 */
export const createHandler = ({ queue, ...deps }: Deps) =>
  worker({ name: 'finish-transcription', schema: TranscribeJobStateChange, queue, factsOf }, async (message) => {
    const { owner, failureCode } = deps.jobs.endOf(message);
    if (!owner) return log.info('not a job of this service');
    if (failureCode) log.info('job failed', { failureCode, failureReason: message.detail.FailureReason });
    await finishTranscription(deps, owner, failureCode && failure(failureCode));
  });

/** The name holds the organization's id and the transcription's. */
function factsOf({ detail }: TranscribeJobStateChange): LogFacts {
  return { jobName: detail.TranscriptionJobName, jobStatus: detail.TranscriptionJobStatus };
}
