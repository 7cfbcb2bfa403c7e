import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of test-webhook. */
export const access: Access = {
  tables: { webhooks: ['GetItem'] },
  derivesWebhookSecrets: true,
  callsWebhooks: true,
};
