import { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import type { LogFacts } from '#shared/logger.ts';
import { recordMetrics } from '#shared/metrics.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/use-cases/delete-transcription.ts';

type Deps = DeleteDependencies & { readonly queue: WorkerQueue };

/**
 * Fed by bulk delete through its queue, possibly twice: deletes each transcription whole. One that fails brings the whole
 * message back; the others are gone by then, and deleting them again changes nothing.
 */
export const createHandler = ({ queue, ...deps }: Deps) =>
  worker(
    { name: 'delete-transcriptions', schema: BulkDeleteMessage, queue, factsOf },
    async ({ organizationId, transcriptionIds }) => {
      for (const transcriptionId of transcriptionIds) {
        const wasThere = await deleteTranscription(deps, organizationId, transcriptionId);
        if (wasThere) recordMetrics({ TranscriptionsDeleted: 1 });
      }
    },
  );

function factsOf({ organizationId, transcriptionIds, correlationId }: BulkDeleteMessage): LogFacts {
  return { organizationId, correlationId, transcriptionIds: transcriptionIds.join(' ') };
}
