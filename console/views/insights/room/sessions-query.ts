import type { ListRoomSessionInsights, RoomSessionInsight } from '../../../../client/types.ts';
import { sortFieldsOfSessions } from '../../../contract.ts';
import type { BarChartData } from '../../../parts/charts/bar-chart-data.ts';
import { texts } from '../../../texts/en.ts';

/** The search parameters of the view. */
export type RoomSearch = { readonly [name in 'name' | 'sort' | 'from' | 'to']?: string | undefined };

const usual = 'startedAt:desc';

/** Whether the search names a period. The service then sorts by the start only. */
export function hasPeriod({ from, to }: RoomSearch): boolean {
  return from !== undefined || to !== undefined;
}

/** The order of the sessions: the one that is asked for, if the service has it for this search. */
export function sessionSort(search: RoomSearch): string {
  const [field = '', direction] = search.sort?.split(':') ?? [];
  const isValid = sortFieldsOfSessions.includes(field) && (direction === 'asc' || direction === 'desc');
  if (!isValid || (hasPeriod(search) && field !== 'startedAt')) return usual;
  return `${field}:${direction}`;
}

/** What the service is asked for. */
export function sessionsQuery(search: RoomSearch, sort = sessionSort(search)): ListRoomSessionInsights {
  const { name = '', from, to } = search;
  return {
    roomName: name,
    ...(from !== undefined && { 'startedAt[from]': from }),
    ...(to !== undefined && { 'startedAt[to]': to }),
    sortBy: sort as NonNullable<ListRoomSessionInsights['sortBy']>,
  };
}

/** The query of the chart: in the order of time, whatever the order of the table. */
export function chartQuery(search: RoomSearch): ListRoomSessionInsights {
  return sessionsQuery(search, usual);
}

/** The sessions of a chart, the latest one first, as minutes and people over time. */
export function sessionSeries(sessions: readonly RoomSessionInsight[]): BarChartData {
  const { minutes, people } = texts.room.chart;
  const inTime = sessions.toReversed();
  return {
    x: inTime.map(({ startedAt }) => Date.parse(startedAt) / 1000),
    step: 3600,
    scales: { bars: minutes, dots: people },
    series: [
      { label: minutes, kind: 'bars', token: 'series-1', values: inTime.map((each) => each.totalParticipantMinutes) },
      { label: people, kind: 'dots', token: 'series-2', values: inTime.map((each) => each.totalUniqueParticipants) },
    ],
  };
}
