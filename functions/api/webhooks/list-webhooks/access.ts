import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of list-webhooks. */
export const access: Access = { tables: { webhooks: ['Query'] } };
