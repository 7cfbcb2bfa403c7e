import type { ListRoomInsights } from '#shared/contracts/insights/insight-operations.ts';

/** The filters of a list of rooms. */
export type RoomFilters = Omit<ListRoomInsights, 'cursor' | 'limit' | 'sortBy'>;

/** True for a room that every filter includes. Names are compared as they are: a capital letter is another letter. */
export function isIncluded(
  { roomNameExact, roomNamePrefix = '', roomNameContains = '', createdAtFrom, createdAtTo }: RoomFilters,
  { roomName, createdAt }: { readonly roomName: string; readonly createdAt: string | null },
): boolean {
  return (
    (roomNameExact === undefined || roomName === roomNameExact) &&
    roomName.startsWith(roomNamePrefix) &&
    roomName.includes(roomNameContains) &&
    (createdAtFrom === undefined || (createdAt !== null && createdAt >= createdAtFrom)) &&
    (createdAtTo === undefined || (createdAt !== null && createdAt < createdAtTo))
  );
}
