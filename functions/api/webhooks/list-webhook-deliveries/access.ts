import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of list-webhook-deliveries. */
export const access: Access = { tables: { webhooks: ['GetItem'], webhookDeliveries: ['Query'] } };
