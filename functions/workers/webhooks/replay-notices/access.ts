import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of replay-notices. */
export const access: Access = {
  tables: {
    notices: ['Query'],
    webhooks: ['GetItem', 'UpdateItem'],
    webhookDeliveries: ['PutItem'],
  },
  sendsTo: ['noticeReplays', 'webhookRuns'],
};
