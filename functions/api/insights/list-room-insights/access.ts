import type { Access } from '#shared/access.ts';
import { roomIndexFields } from '#shared/contracts/insights.ts';
import { sortIndexName } from '#shared/names.ts';

/** AWS permissions of list-room-insights. A list sorted by name queries the table itself. */
export const access: Access = {
  tables: { rooms: ['BatchGetItem', 'Query'] },
  queries: { rooms: roomIndexFields.map((field) => sortIndexName(field)) },
};
