import type { Access } from '#shared/access.ts';
import { indexNames } from '#shared/names.ts';

/** AWS permissions of sweep-notices. */
export const access: Access = {
  tables: { notices: ['BatchGetItem', 'UpdateItem'], webhooks: ['UpdateItem'] },
  queries: { notices: [indexNames.byDueAt], webhooks: [indexNames.byDueAt] },
  sendsTo: ['noticeEvents', 'deliveryPlans', 'webhookRuns'],
};
