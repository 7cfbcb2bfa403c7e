import { type Access, noticesAccess, usageAccess } from '#shared/runtime/access.ts';
import { indexNames } from '#shared/runtime/names.ts';

/** AWS permissions of settle-sessions. It queries an index that spans all organizations. */
export const access: Access = {
  tables: { ...noticesAccess.tables, ...usageAccess.tables, roomSessions: ['GetItem', 'UpdateItem'] },
  queries: { roomSessions: [indexNames.byDueAt] },
};
