import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of delete-webhook. */
export const access: Access = { tables: { webhooks: ['DeleteItem'] } };
