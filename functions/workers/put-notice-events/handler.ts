import type { PutNotices } from '#shared/adapters/eventbridge/notice-bus.ts';
import { NoticeMessage } from '#shared/contracts/messages.ts';
import { recordMetrics } from '#shared/metrics.ts';
import { groupWorker, type WorkerQueue } from '#shared/queue/worker.ts';

type Deps = { readonly queue: WorkerQueue; readonly putNotices: PutNotices };

/** All notices of a batch are put in one call. */
const together = { group: 'events', lane: 'events' };

/**
 * Puts notices on the event bus. If some are refused again and again, all of their batch come again: whoever listens tells by the id of
 * a notice that it has come twice.
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
      await putNotices(notices);
      recordMetrics({ NoticeEventsPut: notices.length });
      return new Map();
    },
  );
