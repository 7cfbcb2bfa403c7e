import type { Access } from '#shared/runtime/access.ts';
import { indexNames } from '#shared/runtime/names.ts';

/** AWS permissions of close-idle-sessions. It queries an index that spans all organizations. */
export const access: Access = {
  tables: { roomSessions: ['GetItem', 'UpdateItem'] },
  queries: { roomSessions: [indexNames.byDueAt] },
  sendsTo: ['roomEvents'],
};
