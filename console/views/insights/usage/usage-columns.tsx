import { Link } from '@tanstack/react-router';
import { formatDuration, formatNumber } from '../../../parts/formats.ts';
import { markedName, NameText } from '../../../parts/name-text.tsx';
import type { Column } from '../../../parts/tables/data-table.tsx';
import { texts } from '../../../texts/en.ts';
import { type By, type FigureName, figureNames, formatCosts, type UsageGroup } from './usage-figures.ts';

const { headings, byDay, byDayOf } = texts.usage;

/** The columns of usage by day or by room. `daysOf` gives the search parameters that show a room by day. */
export function usageColumns(
  by: By,
  prices: readonly number[],
  daysOf: (room: string) => { readonly [name: string]: string | undefined },
): Column<UsageGroup>[] {
  const cost: Column<UsageGroup> = {
    id: 'cost',
    heading: headings.cost,
    align: 'end',
    width: prices.length > 1 ? '11rem' : '8.75rem',
    cell: (group) => formatCosts(group, prices),
  };
  const days: Column<UsageGroup> = {
    id: 'days',
    heading: headings.days,
    width: '5.5rem',
    cell: ({ key }) => (
      <Link to="/usage" search={daysOf(key)} aria-label={byDayOf(markedName(key))}>
        {byDay}
      </Link>
    ),
  };
  const figures = figureNames.map(figureColumn);
  return by === 'day' ? [dayColumn, ...figures, cost] : [roomColumn, ...figures, cost, days];
}

const dayColumn: Column<UsageGroup> = {
  id: 'key',
  heading: headings.day,
  isRowHeading: true,
  width: 'clamp(7.5rem, 12vw, 14rem)',
  sortField: 'key',
  cell: ({ key }) => key,
};

const roomColumn: Column<UsageGroup> = {
  id: 'key',
  heading: headings.roomName,
  isRowHeading: true,
  width: 'clamp(9rem, 16vw, 30rem)',
  sortField: 'key',
  cell: ({ key }) => (
    <Link to="/room" search={{ name: key }}>
      <NameText cut>{key}</NameText>
    </Link>
  ),
};

function figureColumn(name: FigureName): Column<UsageGroup> {
  const heading = headings[name];
  return {
    id: name,
    heading,
    align: 'end',
    width: heading.length > 10 && !heading.includes(' ') ? '9.75rem' : '7.75rem',
    sortField: name,
    cell: (group) => (name === 'transcribedSeconds' ? formatDuration(group[name]) : formatNumber(group[name])),
  };
}
