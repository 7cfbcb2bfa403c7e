import { NoticeMessage } from '#shared/contracts/messages.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { log } from '#shared/runtime/logger.ts';
import { type PlanDependencies, planDeliveries } from '#shared/use-cases/webhooks/plan-deliveries.ts';

type Deps = PlanDependencies & { readonly queue: WorkerQueue };

/** Plans the deliveries of notices to the webhooks that want them. A notice may come repeatedly. */
export const createHandler = ({ queue, ...deps }: Deps) =>
  worker(
    {
      name: 'plan-deliveries',
      schema: NoticeMessage,
      queue,
      factsOf: ({ organizationId, id, type }) => ({ organizationId, noticeId: id, noticeType: type }),
    },
    async (notice) => {
      const deliveries = await planDeliveries(deps, notice);
      log.info('deliveries planned', { deliveries });
    },
  );
