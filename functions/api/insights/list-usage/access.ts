import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of list-usage. */
export const access: Access = { tables: { usageDays: ['BatchGetItem', 'Query'] } };
