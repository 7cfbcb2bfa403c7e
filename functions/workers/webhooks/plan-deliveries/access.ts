import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of plan-deliveries. */
export const access: Access = {
  tables: { webhooks: ['Query'], webhookDeliveries: ['PutItem'] },
  sendsTo: ['webhookRuns'],
};
