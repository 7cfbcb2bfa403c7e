import type { Access } from '#shared/runtime/access.ts';
import { indexNames } from '#shared/runtime/names.ts';

/** AWS permissions of sweep-notices. */
export const access: Access = {
  tables: { notices: ['BatchGetItem', 'UpdateItem'], webhooks: ['UpdateItem'] },
  queries: { notices: [indexNames.byDueAt], webhooks: [indexNames.byDueAt] },
  sendsTo: ['noticeEvents', 'deliveryPlans', 'webhookRuns'],
};
