import type { Access } from '#shared/access.ts';
import { roomSessionSortFields } from '#shared/contracts/insights.ts';
import { sortIndexName } from '#shared/names.ts';

/** AWS permissions of list-room-session-insights. */
export const access: Access = {
  tables: { rooms: ['BatchGetItem'], roomSessions: ['BatchGetItem'] },
  queries: { roomSessions: roomSessionSortFields.map((field) => sortIndexName(field)) },
};
