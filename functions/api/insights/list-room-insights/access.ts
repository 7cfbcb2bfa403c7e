import type { Access } from '#shared/access.ts';
import { roomSortFields } from '#shared/contracts/insights.ts';
import { sortIndexName } from '#shared/names.ts';

/** AWS permissions of list-room-insights. */
export const access: Access = {
  tables: { rooms: ['BatchGetItem'] },
  queries: { rooms: roomSortFields.map((field) => sortIndexName(field)) },
};
