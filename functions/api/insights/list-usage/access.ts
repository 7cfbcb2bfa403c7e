import type { Access } from '#shared/access.ts';

/** AWS permissions of list-usage. */
export const access: Access = { tables: { usageDays: ['BatchGetItem', 'Query'] } };
