import { Link } from '@tanstack/react-router';
import type { RoomInsight } from '../../../../client/types.ts';
import { RatingText } from '../../../parts/charts/figure.tsx';
import { CompletenessCell } from '../../../parts/completeness-text.tsx';
import { formatNumber } from '../../../parts/formats.ts';
import { NameText } from '../../../parts/name-text.tsx';
import { type Column, widths } from '../../../parts/tables/data-table.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { texts } from '../../../texts/en.ts';
import { type RoomColumnId, roomColumnIds } from './room-column-ids.ts';

const { headings } = texts.rooms;

/** The columns of these ids, in their usual order. */
export function roomColumns(ids: readonly RoomColumnId[]): Column<RoomInsight>[] {
  return roomColumnIds.filter((id) => ids.includes(id)).map((id) => columns[id]);
}

/** The times of rooms, and what it means if there is none. */
const times = {
  lastSessionStartedAt: texts.common.none.session,
  createdAt: texts.common.none.told,
  firstSessionStartedAt: texts.common.none.session,
  endAt: texts.common.none.told,
} as const;
type TimeId = keyof typeof times;
const numbers = [
  'totalSessions',
  'totalParticipantMinutes',
  'totalUniqueParticipants',
  'totalRecorderMinutes',
  'totalStreamerMinutes',
  'totalUniqueRecorders',
  'totalUniqueStreamers',
  'totalRatings',
] as const;

const columns = {
  roomName: {
    id: 'roomName',
    heading: headings.roomName,
    isRowHeading: true,
    width: 'clamp(9rem, 16vw, 30rem)',
    sortField: 'roomName',
    cell: ({ roomName }: RoomInsight) => (
      <Link to="/room" search={{ name: roomName }}>
        <NameText cut>{roomName}</NameText>
      </Link>
    ),
  },
  ...(Object.fromEntries((Object.keys(times) as TimeId[]).map((id) => [id, timeColumn(id)])) as ColumnsOf<TimeId>),
  ...(Object.fromEntries(numbers.map((id) => [id, numberColumn(id)])) as ColumnsOf<(typeof numbers)[number]>),
  rating: {
    id: 'rating',
    heading: headings.rating,
    width: '6.5rem',
    sortField: 'rating',
    cell: ({ rating, totalRatings }: RoomInsight) => <RatingText rating={rating} count={totalRatings} />,
  },
  completeness: {
    id: 'completeness',
    heading: headings.completeness,
    width: '12rem',
    cell: (room: RoomInsight) => <CompletenessCell of={room} />,
  },
  asOf: {
    id: 'asOf',
    heading: headings.asOf,
    width: widths.time,
    cell: ({ asOf }: RoomInsight) => <TimeText value={asOf} />,
  },
} as const satisfies ColumnsOf<RoomColumnId>;

type ColumnsOf<Id extends string> = { readonly [id in Id]: Column<RoomInsight> };

function timeColumn(id: TimeId): Column<RoomInsight> {
  return {
    id,
    heading: headings[id],
    width: widths.time,
    sortField: id,
    cell: (room) => <TimeText value={room[id]} none={times[id]} />,
  };
}

function numberColumn(id: (typeof numbers)[number]): Column<RoomInsight> {
  const heading = headings[id];
  return {
    id,
    heading,
    align: 'end',
    width: '7rem',
    sortField: id,
    cell: (room) => formatNumber(room[id]),
  };
}
