/** The columns of the table of rooms, in their order. */
export const roomColumnIds = [
  'roomName',
  'lastSessionStartedAt',
  'totalSessions',
  'totalParticipantMinutes',
  'totalUniqueParticipants',
  'rating',
  'completeness',
  'createdAt',
  'firstSessionStartedAt',
  'endAt',
  'totalRecorderMinutes',
  'totalStreamerMinutes',
  'totalUniqueRecorders',
  'totalUniqueStreamers',
  'totalRatings',
  'asOf',
] as const;
/** A column of the table of rooms. */
export type RoomColumnId = (typeof roomColumnIds)[number];

/** The columns that a reader sees who has not chosen any. */
export const usualRoomColumns: readonly RoomColumnId[] = roomColumnIds.slice(0, 8);

/** The columns that an address asks for. The name is always one of them. */
export function readColumns(text: string | undefined): readonly RoomColumnId[] {
  if (text === undefined) return usualRoomColumns;
  const asked = text.split(',');
  return roomColumnIds.filter((id) => id === 'roomName' || asked.includes(id));
}

/** Columns as an address has them. Undefined if they are the usual ones. */
export function writeColumns(ids: readonly RoomColumnId[]): string | undefined {
  const text = roomColumnIds.filter((id) => ids.includes(id)).join(',');
  return text === usualRoomColumns.join(',') ? undefined : text;
}
