import type { SessionMinute } from '../../../../client/types.ts';
import type { TimeWindow } from '../../../parts/time-window/window.ts';
import { figureOf, isBadMinute, type Minute } from './network/minutes.ts';
import { type SeriesName, seriesNames } from './network/samples.ts';

/** The minutes of one person. */
export type PersonMinutes = { readonly name: string; readonly minutes: readonly Minute[] };
/** A column of figures: of a person or of the session. */
export type FigureColumn =
  | { readonly kind: 'person'; readonly person: number; readonly series: SeriesName }
  | { readonly kind: 'median' | 'worst'; readonly series: SeriesName }
  | { readonly kind: 'people' | 'badPeople'; readonly series?: undefined };
/** One minute, and its figures by the column. They are looked up when they are shown. */
export type FigureRow = {
  readonly minute: number;
  /** Null if nobody sent packet loss of the minute. */
  readonly isBad: boolean | null;
  readonly figure: (column: FigureColumn) => number | null;
};

/** The columns for so many people and the session. */
export function figureColumns(people: number): FigureColumn[] {
  const persons = Array.from({ length: people }, (_, person) => person);
  return [
    ...persons.flatMap((person) => seriesNames.map((series) => ({ kind: 'person', person, series }) as const)),
    ...(['median', 'worst'] as const).flatMap((kind) => seriesNames.map((series) => ({ kind, series }))),
    { kind: 'people' },
    { kind: 'badPeople' },
  ];
}

/** The minutes of a window in which anybody has samples. The first person is the one whose bad minutes are told. */
export function figureRows(
  people: readonly PersonMinutes[],
  session: readonly SessionMinute[],
  window: TimeWindow,
  limit: number,
): FigureRow[] {
  const byPerson = people.map(({ minutes }) => new Map(minutes.map((each) => [each.minute, each])));
  const bySession = new Map(session.map((each) => [Date.parse(each.minute), each]));
  const times = new Set([...byPerson.flatMap((minutes) => [...minutes.keys()]), ...bySession.keys()]);
  const shown = [...times].filter((time) => time + 60_000 > window.from && time < window.to);
  return shown
    .toSorted((one, other) => one - other)
    .map((minute) => {
      const own = byPerson[0]?.get(minute);
      const its = bySession.get(minute);
      const isBad = own === undefined ? null : isBadMinute(own, limit);
      return { minute, isBad, figure: (column) => figureAt(column, byPerson, minute, its) };
    });
}

function figureAt(
  column: FigureColumn,
  byPerson: readonly ReadonlyMap<number, Minute>[],
  minute: number,
  session: SessionMinute | undefined,
): number | null {
  if (column.kind === 'person') return byPerson[column.person]?.get(minute)?.[column.series] ?? null;
  if (!session) return null;
  if (column.series === undefined) return column.kind === 'people' ? session.participants : session.badParticipants;
  return figureOf(session, column.series, column.kind);
}
