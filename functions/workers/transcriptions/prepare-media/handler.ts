import {
  MediaPreparationMessage,
  type TranscriptionJobMessage,
  type TranscriptionMergeMessage,
} from '#shared/contracts/messages.ts';
import type { MessageSender } from '#shared/queue/send.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { addToLogContext, type LogFacts } from '#shared/runtime/logger.ts';
import { type Measured, recordMetrics } from '#shared/runtime/metrics.ts';
import {
  type PrepareDependencies,
  type PrepareOutcome,
  prepareTranscription,
} from '#shared/use-cases/transcriptions/parts/prepare-transcription.ts';

type Deps = Omit<PrepareDependencies, 'sendAgain' | 'sendJobs' | 'sendMerge'> & {
  readonly queue: WorkerQueue;
  readonly preparations: MessageSender<MediaPreparationMessage>;
  readonly jobMessages: MessageSender<TranscriptionJobMessage>;
  readonly merges: MessageSender<TranscriptionMergeMessage>;
};

/**
 * Prepares the media of a transcription that is in progress. start-transcription, the reconciler and this worker send the messages. A
 * message may arrive late or more than once. If a turn ends before everything is prepared, the worker sends a new message.
 */
export const createHandler = ({ queue, preparations, jobMessages, merges, ...deps }: Deps) =>
  worker({ name: 'prepare-media', schema: MediaPreparationMessage, queue, factsOf }, async (message) => {
    const outcome = await prepareTranscription(
      {
        ...deps,
        sendAgain: (again) => preparations.send(again.organizationId, [again]),
        sendJobs: jobMessages.send,
        sendMerge: (merge) => merges.send(merge.organizationId, [merge]),
      },
      message,
    );
    const { result, pieces, bytesRead } = outcome;
    addToLogContext({ outcome: result, ...(pieces !== undefined && { pieces, bytesRead }) });
    recordMetrics(measuredOf(outcome));
  });

function measuredOf(outcome: PrepareOutcome): Measured {
  const { result, preparedSeconds = 0, bytesRead = 0, silentSeconds = 0, failedParts = 0 } = outcome;
  return {
    ...(result === 'failed' && { TranscriptionsFailed: 1 }),
    ...(preparedSeconds > 0 && { PreparedTime: preparedSeconds }),
    ...(bytesRead > 0 && { PreparedBytes: bytesRead }),
    ...(silentSeconds > 0 && { SilenceLeftOut: silentSeconds }),
    ...(failedParts > 0 && { PartsFailed: failedParts }),
  };
}

function factsOf({ organizationId, transcriptionId, correlationId }: MediaPreparationMessage): LogFacts {
  return { organizationId, transcriptionId, ...(correlationId !== undefined && { correlationId }) };
}
