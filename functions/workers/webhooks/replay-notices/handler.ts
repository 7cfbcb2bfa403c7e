import { NoticeReplayMessage } from '#shared/contracts/messages.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { log } from '#shared/runtime/logger.ts';
import { type ReplayDependencies, replayNotices } from '#shared/use-cases/webhooks/replay-notices.ts';

type Deps = ReplayDependencies & { readonly queue: WorkerQueue };

/** Plans the deliveries of a replay, a page of notices with each message. A message may come repeatedly. */
export const createHandler = ({ queue, ...deps }: Deps) =>
  worker(
    {
      name: 'replay-notices',
      schema: NoticeReplayMessage,
      queue,
      factsOf: ({ organizationId, webhookId, replayId, planned }) => ({ organizationId, webhookId, replayId, planned }),
    },
    async (message) => {
      const outcome = await replayNotices(deps, message);
      log.info('replay planned', { outcome });
    },
  );
