import { type Access, idempotencyAccess } from '#shared/runtime/access.ts';

/** AWS permissions of rotate-webhook-secret. */
export const access: Access = {
  tables: { webhooks: ['GetItem', 'UpdateItem'], ...idempotencyAccess.tables },
  derivesWebhookSecrets: true,
};
