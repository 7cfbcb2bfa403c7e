import { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import type { MessageSender } from '#shared/queue/send.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { addToLogContext, type LogFacts, log } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/use-cases/transcriptions/delete-transcription.ts';

type Deps = DeleteDependencies & {
  readonly queue: WorkerQueue;
  readonly bulkDeletes: MessageSender<BulkDeleteMessage>;
};

/** How long a message may work. Two messages work at once, so another organization's waits about this long. */
const turnMs = 100;
/** Pause of a request after a failure, so that its ids do not all fail within seconds while a dependency is down. */
const pauseAfterFailureSeconds = 10;
/** Failures of longer ago do not count. The five receives of a message span at most 18 minutes, so it was redriven since then. */
const failuresCountForMs = 20 * 60_000;

/**
 * Deletes the transcriptions of a bulk delete for a short turn. Then it puts the ids that are left at the end of the queue, as one
 * new message, with those that failed last. If every id has failed since the last success, the message itself comes again, and
 * becomes a dead letter after five receives. A message may come twice, and deleting again changes nothing.
 */
export const createHandler = ({ queue, bulkDeletes, ...deps }: Deps) =>
  worker({ name: 'delete-transcriptions', schema: BulkDeleteMessage, queue, factsOf }, async (message) => {
    const { organizationId, transcriptionIds } = message;
    const { tried, failed, error, endedAt, ...failures } = await takeTurn(deps, message);
    const left = [...transcriptionIds.slice(tried.length), ...failed];
    addToLogContext({ transcriptionIds: tried.join(' '), failed: failed.length, left: left.length });
    recordAge(message, endedAt);
    if (left.length === 0) return;
    if (failed.length === tried.length && failures.failedInARow >= left.length) throw error;
    const delaySeconds = failed.length > 0 ? pauseAfterFailureSeconds : 0;
    await bulkDeletes.send(organizationId, [{ ...message, transcriptionIds: left, ...failures }], { delaySeconds });
  });

/** Deletes at least one transcription, and further ones while the turn lasts. A failure does not end it. */
async function takeTurn(deps: DeleteDependencies, message: BulkDeleteMessage) {
  const { now = () => new Date() } = deps;
  const { organizationId, transcriptionIds } = message;
  const endsAt = now().getTime() + turnMs;
  let { failedInARow, failedAt } = countingFailures(message, now());
  const [tried, failed]: [string[], string[]] = [[], []];
  let lastError: unknown;
  for (const transcriptionId of transcriptionIds) {
    tried.push(transcriptionId);
    try {
      const wasThere = await deleteTranscription(deps, organizationId, transcriptionId);
      if (wasThere) recordMetrics({ TranscriptionsDeleted: 1 });
      failedInARow = 0;
    } catch (error) {
      log.error('transcription not deleted', error, { transcriptionId });
      failed.push(transcriptionId);
      failedInARow += 1;
      failedAt = now().toISOString();
      lastError = error;
    }
    if (now().getTime() >= endsAt) break;
  }
  return { tried, failed, error: lastError, failedInARow, failedAt, endedAt: now() };
}

/** The failures in a row that the message counts. None if it was redriven, because then every id is to be tried again. */
function countingFailures({ failedInARow, failedAt }: BulkDeleteMessage, now: Date) {
  const isRecent = failedAt !== undefined && now.getTime() - Date.parse(failedAt) < failuresCountForMs;
  return isRecent ? { failedInARow, failedAt } : { failedInARow: 0, failedAt: undefined };
}

function recordAge({ acceptedAt }: BulkDeleteMessage, now: Date): void {
  if (acceptedAt === undefined) return;
  recordMetrics({ BulkDeleteAge: Math.max(0, (now.getTime() - Date.parse(acceptedAt)) / 1000) });
}

function factsOf({ organizationId, transcriptionIds, correlationId, part }: BulkDeleteMessage): LogFacts {
  return { organizationId, correlationId, part, transcriptions: transcriptionIds.length };
}
