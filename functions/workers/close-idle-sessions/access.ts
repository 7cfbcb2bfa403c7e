import type { Access } from '#shared/access.ts';
import { indexNames } from '#shared/names.ts';

/** AWS permissions of close-idle-sessions. It queries an index that spans all organizations. */
export const access: Access = {
  tables: { roomSessions: ['GetItem', 'UpdateItem'] },
  queries: { roomSessions: [indexNames.byDueAt] },
  sendsTo: ['roomEvents'],
};
