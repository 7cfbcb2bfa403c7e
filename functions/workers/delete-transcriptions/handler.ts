import { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import type { LogFacts } from '#shared/logger.ts';
import { recordMetrics } from '#shared/metrics.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/use-cases/delete-transcription.ts';

type Deps = DeleteDependencies & { readonly queue: WorkerQueue };

/**
 * Deletes the transcriptions of a message from bulk delete, which may come twice. If one fails, the whole message comes
 * again. The others are deleted by then, and deleting them again changes nothing.
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
