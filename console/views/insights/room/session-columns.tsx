import { Link } from '@tanstack/react-router';
import type { RoomSessionInsight } from '../../../../client/types.ts';
import { RatingText, SessionLength, TalkTime } from '../../../parts/charts/figure.tsx';
import { CompletenessCell } from '../../../parts/completeness-text.tsx';
import { formatNumber } from '../../../parts/formats.ts';
import { type Column, widths } from '../../../parts/tables/data-table.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { texts } from '../../../texts/en.ts';

const { headings, minutesBy } = texts.room;

const started: Column<RoomSessionInsight> = {
  id: 'startedAt',
  heading: headings.startedAt,
  isRowHeading: true,
  width: widths.time,
  sortField: 'startedAt',
  cell: ({ roomSessionId, roomName, startedAt }) => (
    <Link to="/session" search={{ id: roomSessionId, room: roomName }}>
      <TimeText value={startedAt} />
    </Link>
  ),
};

const others: readonly Column<RoomSessionInsight>[] = [
  {
    id: 'endedAt',
    heading: headings.endedAt,
    width: widths.time,
    sortField: 'endedAt',
    cell: ({ endedAt }) => <TimeText value={endedAt} none={texts.common.none.ended} />,
  },
  {
    id: 'length',
    heading: headings.length,
    align: 'end',
    width: '8rem',
    cell: (session) => <SessionLength session={session} />,
  },
  numberColumn('totalParticipantMinutes'),
  numberColumn('totalUniqueParticipants'),
  {
    id: 'rating',
    heading: headings.rating,
    width: '6.5rem',
    sortField: 'rating',
    cell: ({ rating, totalRatings }) => <RatingText rating={rating} count={totalRatings} />,
  },
  {
    id: 'talk',
    heading: headings.talk,
    align: 'end',
    width: '7rem',
    cell: (session) => <TalkTime talk={session} />,
  },
  minutesColumn('totalRecorderMinutes', 'totalUniqueRecorders'),
  minutesColumn('totalStreamerMinutes', 'totalUniqueStreamers'),
  {
    id: 'completeness',
    heading: headings.completeness,
    width: '9rem',
    cell: (session) => <CompletenessCell of={session} />,
  },
];

/** The columns of sessions. Within a period, the service sorts by the start only. */
export const sessionColumns = [started, ...others];
/** The columns of sessions within a period, of which only the start can be sorted by. */
export const sessionColumnsOfPeriod = [started, ...others.map(({ sortField: _, ...column }) => column)];

function numberColumn(id: 'totalParticipantMinutes' | 'totalUniqueParticipants'): Column<RoomSessionInsight> {
  return {
    id,
    heading: headings[id],
    align: 'end',
    width: '6.25rem',
    sortField: id,
    cell: (session) => formatNumber(session[id]),
  };
}

/** The minutes of recorders or streamers, and how many these were. */
function minutesColumn(
  id: 'totalRecorderMinutes' | 'totalStreamerMinutes',
  countId: 'totalUniqueRecorders' | 'totalUniqueStreamers',
): Column<RoomSessionInsight> {
  return {
    id,
    heading: headings[id],
    align: 'end',
    width: '7rem',
    sortField: id,
    cell: ({ [id]: minutes, [countId]: count }) => (
      <span title={minutesBy[countId](formatNumber(minutes), count)}>
        {formatNumber(minutes)} {count > 0 && <span className="hint">({formatNumber(count)})</span>}
      </span>
    ),
  };
}
