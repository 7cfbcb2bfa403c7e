import { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { addToLogContext, type LogFacts, log } from '#shared/logger.ts';
import { recordMetrics } from '#shared/metrics.ts';
import type { MessageSender } from '#shared/queue/send.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/use-cases/delete-transcription.ts';

type Deps = DeleteDependencies & {
  readonly queue: WorkerQueue;
  readonly bulkDeletes: MessageSender<BulkDeleteMessage>;
};

/** How long a message may work. Two messages work at once, so another organization's waits about this long. */
const turnMs = 100;
/** Pause of a request after a failure, so that its ids do not all fail within seconds while a dependency is down. */
const pauseAfterFailureSeconds = 10;

/**
 * Deletes the transcriptions of a bulk delete for a short turn, then puts the ids that are left at the end of the queue, as a
 * new message. The ids that failed continue in a message of their own, so that a dead letter contains no others. If none
 * succeeds, the message itself comes again. A message may come twice, and deleting again changes nothing.
 */
export const createHandler = ({ queue, bulkDeletes, ...deps }: Deps) =>
  worker({ name: 'delete-transcriptions', schema: BulkDeleteMessage, queue, factsOf }, async (message) => {
    const { organizationId, transcriptionIds } = message;
    const { tried, failed, errors } = await takeTurn(deps, message);
    const rest = transcriptionIds.slice(tried.length);
    addToLogContext({ transcriptionIds: tried.join(' '), left: rest.length });
    if (failed.length === transcriptionIds.length) throw errors[0];
    const delaySeconds = failed.length > 0 ? pauseAfterFailureSeconds : 0;
    const messages = [rest, failed]
      .filter((ids) => ids.length > 0)
      .map((ids) => ({ ...message, transcriptionIds: ids }));
    if (messages.length > 0) await bulkDeletes.send(organizationId, messages, { delaySeconds });
  });

/** Deletes at least one transcription, and further ones while the turn lasts. A failure does not end it. */
async function takeTurn(deps: DeleteDependencies, { organizationId, transcriptionIds }: BulkDeleteMessage) {
  const { now = () => new Date() } = deps;
  const endsAt = now().getTime() + turnMs;
  const [tried, failed, errors]: [string[], string[], unknown[]] = [[], [], []];
  for (const transcriptionId of transcriptionIds) {
    if (tried.length > 0 && now().getTime() >= endsAt) break;
    tried.push(transcriptionId);
    try {
      const wasThere = await deleteTranscription(deps, organizationId, transcriptionId);
      if (wasThere) recordMetrics({ TranscriptionsDeleted: 1 });
    } catch (error) {
      log.error('transcription not deleted', error, { transcriptionId });
      failed.push(transcriptionId);
      errors.push(error);
    }
  }
  return { tried, failed, errors };
}

function factsOf({ organizationId, transcriptionIds, correlationId }: BulkDeleteMessage): LogFacts {
  return { organizationId, correlationId, transcriptions: transcriptionIds.length };
}
