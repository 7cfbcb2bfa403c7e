import { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { type LogFacts, log } from '#shared/logger.ts';
import { recordMetrics } from '#shared/metrics.ts';
import type { MessageSender } from '#shared/queue/send.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/use-cases/delete-transcription.ts';

type Deps = DeleteDependencies & {
  readonly queue: WorkerQueue;
  readonly bulkDeletes: MessageSender<BulkDeleteMessage>;
};

/** Pause before the ids that failed are tried again in a message of their own. */
const splitDelaySeconds = 4;

/**
 * Deletes the transcriptions of a message from bulk delete, which may come twice. It goes on past an id that fails. The ids
 * that failed continue in a message of their own, so that a dead letter contains no others. If none succeeds, the message
 * itself comes again.
 */
export const createHandler = ({ queue, bulkDeletes, ...deps }: Deps) =>
  worker(
    { name: 'delete-transcriptions', schema: BulkDeleteMessage, queue, factsOf },
    async ({ organizationId, transcriptionIds, correlationId }, assertTimeLeft) => {
      const failures = new Map<string, unknown>();
      for (const transcriptionId of transcriptionIds) {
        try {
          assertTimeLeft();
          const wasThere = await deleteTranscription(deps, organizationId, transcriptionId);
          if (wasThere) recordMetrics({ TranscriptionsDeleted: 1 });
        } catch (error) {
          log.error('transcription not deleted', error, { transcriptionId });
          failures.set(transcriptionId, error);
        }
      }
      const [anyFailure] = failures.values();
      if (failures.size === transcriptionIds.length) throw anyFailure;
      if (failures.size === 0) return;
      const failed = { organizationId, transcriptionIds: [...failures.keys()], correlationId };
      await bulkDeletes.send(organizationId, [failed], { delaySeconds: splitDelaySeconds });
    },
  );

function factsOf({ organizationId, transcriptionIds, correlationId }: BulkDeleteMessage): LogFacts {
  return { organizationId, correlationId, transcriptionIds: transcriptionIds.join(' ') };
}
