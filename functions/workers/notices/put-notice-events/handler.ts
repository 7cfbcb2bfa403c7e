import type { PutNotices } from '#shared/adapters/notices/notice-bus.ts';
import { NoticeMessage } from '#shared/contracts/messages.ts';
import { groupWorker, type WorkerQueue } from '#shared/queue/worker.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';

type Deps = { readonly queue: WorkerQueue; readonly putNotices: PutNotices };

/** All notices of a batch are put in one call. */
const together = { group: 'events', lane: 'events' };

/**
 * Puts notices on the event bus. Those that are refused again and again come again, and the others of their batch are done. Whoever listens
 * tells by the id of a notice that it has come twice.
 */
export const createHandler = ({ queue, putNotices }: Deps) =>
  groupWorker(
    {
      name: 'put-notice-events',
      schema: NoticeMessage,
      queue,
      factsOf: ({ organizationId, id, type }) => ({ organizationId, noticeId: id, noticeType: type }),
      orderOf: () => together,
    },
    async (notices) => {
      const refused = await putNotices(notices);
      if (refused.size < notices.length) recordMetrics({ NoticeEventsPut: notices.length - refused.size });
      return refused;
    },
  );
