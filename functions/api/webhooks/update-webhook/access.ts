import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of update-webhook. */
export const access: Access = {
  tables: { webhooks: ['UpdateItem'] },
  sendsTo: ['webhookRuns'],
  callsWebhooks: true,
  linksToApi: true,
};
