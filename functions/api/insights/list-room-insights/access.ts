import { roomSortFields } from '#shared/contracts/insights/insights.ts';
import type { Access } from '#shared/runtime/access.ts';
import { sortIndexName } from '#shared/runtime/names.ts';

/** AWS permissions of list-room-insights. */
export const access: Access = {
  tables: { rooms: ['BatchGetItem'] },
  queries: { rooms: roomSortFields.map((field) => sortIndexName(field)) },
};
