import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { streamWorker } from '#shared/queue/stream-worker.ts';
import { log } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { type RelayDependencies, relayNotices } from '#shared/use-cases/webhooks/relay-notices.ts';

type Deps = RelayDependencies & {
  /** Reads a notice from its item. */
  readonly read: (item: unknown) => OrganizationNotice;
  readonly now?: () => Date;
};

/** A log line has at most so many ids. */
const mostLoggedIds = 10;

/**
 * Sends new notices to the queues of the event bus and of webhooks. The stream delivers a record repeatedly, and not at all after some
 * failures: sweep-notices then sends the notice, because it is due until it was sent.
 */
export const createHandler = ({ read, now = () => new Date(), ...deps }: Deps) =>
  streamWorker({ name: 'relay-notices', read }, async (notices) => {
    const { relayed, failed, unmarked, error } = await relayNotices(deps, notices);
    if (failed.length > 0 || unmarked > 0) {
      const noticeIds = failed
        .slice(0, mostLoggedIds)
        .map(({ id }) => id)
        .join(', ');
      log.warn('notices not relayed', error, { failed: failed.length, unmarked, noticeIds });
    }
    if (relayed.length > 0) {
      const NoticeLag = relayed.map(({ createdAt }) => Math.max(0, now().getTime() - Date.parse(createdAt)));
      recordMetrics({ NoticesRelayed: relayed.length, NoticeLag });
    }
    return new Set(failed);
  });
