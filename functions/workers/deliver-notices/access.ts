import type { Access } from '#shared/access.ts';
import { dueDeliveries } from '#shared/names.ts';

/** AWS permissions of deliver-notices. */
export const access: Access = {
  tables: {
    notices: ['GetItem', 'PutItem'],
    webhooks: ['GetItem', 'UpdateItem'],
    webhookDeliveries: ['GetItem', 'BatchGetItem', 'UpdateItem'],
  },
  queries: { webhookDeliveries: [dueDeliveries] },
  sendsTo: ['webhookRuns'],
  derivesWebhookSecrets: true,
  callsWebhooks: true,
  disablesWebhooks: true,
};
