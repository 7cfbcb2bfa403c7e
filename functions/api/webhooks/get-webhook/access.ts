import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of get-webhook. */
export const access: Access = { tables: { webhooks: ['GetItem'] } };
