import type { RoomInsight } from '#shared/contracts/insights/insights.ts';

type Row = readonly [name: string, ...cells: string[]];

const header: Row = ['', 'sessions', 'minutes p / r / s', 'unique p / r / s', 'rating', 'ratings'];

/** Formats the totals of rooms as a text table with a sum line. */
export function totalsTable(rooms: readonly RoomInsight[]): string {
  const sum = (count: (room: RoomInsight) => number) => rooms.reduce((total, room) => total + count(room), 0);
  const sums: Row = [
    'sum',
    String(sum(({ totalSessions }) => totalSessions)),
    [
      sum(({ totalParticipantMinutes }) => totalParticipantMinutes),
      sum(({ totalRecorderMinutes }) => totalRecorderMinutes),
      sum(({ totalStreamerMinutes }) => totalStreamerMinutes),
    ].join(' / '),
    '',
    '',
    String(sum(({ totalRatings }) => totalRatings)),
  ];
  const rows = [header, ...rooms.map(rowOf), sums];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name, ...cells]) =>
    [name.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))].join('   '),
  );
  return `${lines.join('\n')}\n(p: participants, r: recorders, s: streamers)`;
}

function rowOf(room: RoomInsight): Row {
  return [
    room.roomName,
    String(room.totalSessions),
    [room.totalParticipantMinutes, room.totalRecorderMinutes, room.totalStreamerMinutes].join(' / '),
    [room.totalUniqueParticipants, room.totalUniqueRecorders, room.totalUniqueStreamers].join(' / '),
    room.rating === null ? '-' : room.rating.toFixed(2),
    String(room.totalRatings),
  ];
}
