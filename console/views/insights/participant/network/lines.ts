import type { SessionMinute } from '../../../../../client/types.ts';
import { type SessionFigure, sessionSeries } from './minutes.ts';
import type { ColorName } from './palette.ts';
import { type Connection, lanesOf, type Series, type SeriesName, seriesNames, seriesOf } from './samples.ts';

/** A line of the charts: what the legend says of it, how it is drawn, and its values in each chart. */
export type Line = {
  /** Identifies it in the address. */
  readonly key: string;
  /** The name of a person, from outside; or which figure of the session it is. */
  readonly of: { readonly name: string; readonly lane: number } | { readonly figure: SessionFigure };
  readonly color: ColorName;
  /** Lengths of strokes and gaps in pixels: lines differ also without colours. */
  readonly dash: readonly number[];
  readonly width: number;
  readonly series: Readonly<Record<SeriesName, readonly Series[]>>;
};

const looks: readonly Pick<Line, 'color' | 'dash' | 'width'>[] = [
  { color: 'series-1', dash: [], width: 2 },
  { color: 'series-2', dash: [9, 4], width: 1 },
  { color: 'series-3', dash: [3, 3], width: 1 },
  { color: 'series-4', dash: [12, 3, 3, 3], width: 1 },
  { color: 'series-5', dash: [6, 2], width: 1 },
  { color: 'series-6', dash: [15, 5], width: 1 },
];

/** How the line of a person looks, by the place of the person. The participant of the view is the first one. */
export function lookOf(place: number): Pick<Line, 'color' | 'dash' | 'width'> {
  return looks[place % looks.length] as (typeof looks)[number];
}

/** The lines of a person: one, or more if the person was connected several times at once. */
export function linesOfPerson(id: string, place: number, name: string, connections: readonly Connection[]): Line[] {
  return lanesOf(connections).map((lane, index) => ({
    key: personKey(id),
    of: { name, lane: index + 1 },
    ...lookOf(place),
    width: index === 0 ? lookOf(place).width : 1,
    series: eachSeries((series) => lane.flatMap((connection) => seriesOf(connection, series))),
  }));
}

/** The two lines of the session: the median, and the 95th or 5th percentile. None if nobody, or only one person, has samples. */
export function linesOfSession(minutes: readonly SessionMinute[]): Line[] {
  if (minutes.every(({ participants }) => participants < 2)) return [];
  return (['median', 'worst'] as const).map((figure) => ({
    key: figure,
    of: { figure },
    color: 'session',
    dash: figure === 'median' ? [8, 4] : [2, 3],
    width: 2,
    series: eachSeries((series) => sessionSeries(minutes, series, figure)),
  }));
}

function eachSeries<Value>(make: (name: SeriesName) => Value): Record<SeriesName, Value> {
  return Object.fromEntries(seriesNames.map((name) => [name, make(name)])) as Record<SeriesName, Value>;
}

/** Whether a line has a value in a chart. */
export function hasValues({ series }: Line, name: SeriesName): boolean {
  return series[name].some(({ values }) => values.some((value) => !Number.isNaN(value)));
}

/** The key of a person's lines. It is never that of a line of the session. */
export function personKey(id: string): string {
  return `person ${id}`;
}

/** How far the samples of the densest of these lines are apart, or undefined without samples. */
export function densestOf(lines: readonly Line[]): number | undefined {
  const rates = lines.flatMap(({ series }) => series.packetLossSend.map(({ rateMs }) => rateMs));
  return rates.length === 0 ? undefined : rates.reduce((least, rate) => Math.min(least, rate));
}
