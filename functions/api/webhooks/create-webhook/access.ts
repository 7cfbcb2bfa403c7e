import { type Access, idempotencyAccess } from '#shared/runtime/access.ts';

/** AWS permissions of create-webhook. */
export const access: Access = {
  tables: { webhooks: ['Query', 'PutItem'], rateLimits: ['GetItem', 'UpdateItem'], ...idempotencyAccess.tables },
  derivesWebhookSecrets: true,
  callsWebhooks: true,
  linksToApi: true,
  countsWebhooks: true,
};
