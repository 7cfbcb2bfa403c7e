import { roomSessionSortFields } from '#shared/contracts/insights/insights.ts';
import type { Access } from '#shared/runtime/access.ts';
import { sortIndexName } from '#shared/runtime/names.ts';

/** AWS permissions of list-room-session-insights. */
export const access: Access = {
  tables: { rooms: ['BatchGetItem'], roomSessions: ['BatchGetItem'] },
  queries: { roomSessions: roomSessionSortFields.map((field) => sortIndexName(field)) },
};
