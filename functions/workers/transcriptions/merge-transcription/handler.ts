import { TranscriptionMergeMessage } from '#shared/contracts/messages.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { addToLogContext } from '#shared/runtime/logger.ts';
import { measuredEnd, recordMetrics } from '#shared/runtime/metrics.ts';
import {
  type MergeDependencies,
  mergeTranscription,
} from '#shared/use-cases/transcriptions/parts/merge-transcription.ts';

type Deps = MergeDependencies & { readonly queue: WorkerQueue; readonly now?: () => Date };

/**
 * Writes the transcript of a work all of whose parts have ended, or stores why there is none. The message may come twice, late, or
 * after the transcription was deleted.
 */
export const createHandler = ({ queue, now = () => new Date(), ...deps }: Deps) =>
  worker(
    { name: 'merge-transcription', schema: TranscriptionMergeMessage, queue, factsOf: (message) => message },
    async (work) => {
      const finished = await mergeTranscription(deps, work);
      if (!finished) return;
      addToLogContext({ transcriptionId: finished.transcriptionId });
      recordMetrics(measuredEnd(finished, now()));
    },
  );
