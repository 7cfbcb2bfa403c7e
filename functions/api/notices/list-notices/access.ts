import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of list-notices. */
export const access: Access = { tables: { notices: ['Query'] } };
