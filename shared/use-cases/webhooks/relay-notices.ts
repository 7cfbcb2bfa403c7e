import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { deliveryKeyOf } from '#shared/domain/webhooks/delivery.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import type { NoticeStore, SendNotices } from '../notices/ports.ts';

/** What relaying notices needs. */
export type RelayDependencies = {
  readonly notices: Pick<NoticeStore, 'markRelayed'>;
  readonly sendEvents: SendNotices;
  readonly sendPlans: SendNotices;
};

/** What came of it: notices that are in both queues, and those that may be missing in one, with the last reason. */
export type Relayed = {
  readonly relayed: readonly OrganizationNotice[];
  readonly failed: readonly OrganizationNotice[];
  /** How many were sent and are still due, so that the sweep sends them again. */
  readonly unmarked: number;
  readonly error?: unknown;
};

const organizationsAtOnce = 8;
const marksAtOnce = 20;

/**
 * Sends notices to the queues of the event bus and of webhooks, and marks them. The mark comes last, so a notice whose process dies is sent
 * again: by the stream, or by the sweep. Whatever gets a notice twice knows it by its id.
 */
export async function relayNotices(
  { notices: store, sendEvents, sendPlans }: RelayDependencies,
  notices: readonly OrganizationNotice[],
): Promise<Relayed> {
  const groups = [...Map.groupBy(notices, ({ organizationId }) => organizationId)];
  const [relayed, failed]: [OrganizationNotice[], OrganizationNotice[]] = [[], []];
  let lastError: unknown;
  for (const some of chunk(groups, organizationsAtOnce)) {
    await Promise.all(
      some.map(async ([organizationId, ofOne]) => {
        try {
          await Promise.all([sendEvents(organizationId, ofOne), sendPlans(organizationId, ofOne)]);
          relayed.push(...ofOne);
        } catch (error) {
          lastError = error;
          failed.push(...ofOne);
        }
      }),
    );
  }
  let unmarked = 0;
  for (const some of chunk(relayed, marksAtOnce)) {
    const marked = await Promise.allSettled(
      some.map(({ organizationId, id: noticeId, createdAt }) =>
        store.markRelayed({ organizationId, noticeKey: deliveryKeyOf({ createdAt, noticeId }) }),
      ),
    );
    for (const mark of marked) {
      if (mark.status === 'fulfilled') continue;
      unmarked += 1;
      lastError = mark.reason;
    }
  }
  return { relayed, failed, unmarked, error: lastError };
}
