import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of list-refused-events. */
export const access: Access = { tables: { refusedEvents: ['Query'] } };
