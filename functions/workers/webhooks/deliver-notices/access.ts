import type { Access } from '#shared/runtime/access.ts';
import { dueDeliveries } from '#shared/runtime/names.ts';

/** AWS permissions of deliver-notices. It sends messages to its own queue: what is left of a webhook goes to the end of it. */
export const access: Access = {
  tables: {
    notices: ['BatchGetItem', 'PutItem'],
    webhooks: ['GetItem', 'UpdateItem'],
    webhookDeliveries: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    rateLimits: ['UpdateItem'],
  },
  queries: { webhookDeliveries: [dueDeliveries] },
  sendsTo: ['webhookRuns'],
  derivesWebhookSecrets: true,
  callsWebhooks: true,
  disablesWebhooks: true,
};
