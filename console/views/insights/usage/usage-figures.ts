import type { UsageDay } from '../../../../client/types.ts';
import type { BarChartData } from '../../../parts/charts/bar-chart-data.ts';
import { formatMoney } from '../../../parts/formats.ts';
import { csvLine } from '../../../parts/tables/csv.ts';
import { texts } from '../../../texts/en.ts';

/** The figures of usage, in the order of the columns. */
export const figureNames = [
  'sessions',
  'participantMinutes',
  'recorderMinutes',
  'streamerMinutes',
  'transcriptions',
  'transcribedSeconds',
] as const;
/** A figure of usage. */
export type FigureName = (typeof figureNames)[number];
/** The figures of usage of a day, a room or a period. */
export type Figures = { readonly [name in FigureName]: number };

/** What rows are grouped by. */
export type By = 'day' | 'room';
/** The figures of one day or of one room, which is its `key`. */
export type UsageGroup = Figures & { readonly key: string };

const nothing = Object.fromEntries(figureNames.map((name) => [name, 0])) as Figures;

/** Adds the figures of rows. */
export function totalOf(rows: readonly Figures[]): Figures {
  const total: { -readonly [name in FigureName]: number } = { ...nothing };
  for (const row of rows) for (const name of figureNames) total[name] += row[name];
  return total;
}

/** Adds the figures of the rows of each day, or of each room. */
export function groupUsage(rows: readonly UsageDay[], by: By): UsageGroup[] {
  const groups = new Map<string, { key: string } & { -readonly [name in FigureName]: number }>();
  for (const row of rows) {
    const key = by === 'day' ? row.day : row.roomName;
    const group = groups.get(key) ?? { key, ...nothing };
    for (const name of figureNames) group[name] += row[name];
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The order of groups that an address asks for, or the usual one: the latest day, or the room with the most minutes first. */
export function sortOfGroups(sort: string | undefined, by: By): string {
  const [field, direction] = sort?.split(':') ?? [];
  const isKnown = field === 'key' || figureNames.some((name) => name === field);
  if (isKnown && (direction === 'asc' || direction === 'desc')) return `${field}:${direction}`;
  return by === 'day' ? 'key:desc' : 'participantMinutes:desc';
}

/** Sorts groups by a field of theirs. Equal ones keep the order of their keys. */
export function sortGroups(groups: readonly UsageGroup[], sort: string): UsageGroup[] {
  const [field, direction] = sort.split(':') as ['key' | FigureName, 'asc' | 'desc'];
  const sign = direction === 'asc' ? 1 : -1;
  const byKey = (a: UsageGroup, b: UsageGroup) => (a.key < b.key ? -1 : 1);
  if (field === 'key') return groups.toSorted((a, b) => sign * byKey(a, b));
  return groups.toSorted((a, b) => sign * (a[field] - b[field]) || byKey(a, b));
}

/** The dollars of a minute of Amazon Transcribe, by two readings of its price list. Tests have their sources. */
const listPrices: readonly number[] = [0.006, 0.024];

/** The price of a minute that an address has, or the list prices. */
export function pricesOf(text: string | undefined): readonly number[] {
  const price = Number(text);
  return text !== undefined && text !== '' && Number.isFinite(price) && price >= 0 ? [price] : listPrices;
}

/** What recognition cost, in dollars. An estimate: prices can fall with the minutes of a month. */
export function costOf({ transcribedSeconds }: Figures, pricePerMinute: number): number {
  return (transcribedSeconds / 60) * pricePerMinute;
}

/** What recognition cost by each price, as a text. */
export function formatCosts(figures: Figures, prices: readonly number[]): string {
  return prices.map((price) => formatMoney(costOf(figures, price))).join(' / ');
}

/** The minutes of each day of a period. Days without use have zeros. */
export function usageSeries(groups: readonly UsageGroup[], days: readonly string[]): BarChartData {
  const { minutes, participants, recorders, streamers } = texts.usage.chart;
  const byDay = new Map(groups.map((group) => [group.key, group]));
  const valuesOf = (name: FigureName) => days.map((day) => byDay.get(day)?.[name] ?? 0);
  return {
    x: days.map((day) => Date.parse(day) / 1000),
    step: 0.6 * 86_400,
    isDaily: true,
    scales: { bars: minutes },
    series: [
      { label: participants, kind: 'bars', token: 'series-1', values: valuesOf('participantMinutes') },
      { label: recorders, kind: 'bars', token: 'series-2', values: valuesOf('recorderMinutes') },
      { label: streamers, kind: 'bars', token: 'series-3', values: valuesOf('streamerMinutes') },
    ],
  };
}

/** The groups as CSV, with the names of the fields of the API, and the estimated cost by each price of a minute. */
export function usageCsv(groups: readonly UsageGroup[], by: By, prices: readonly number[]): string[] {
  const costs = prices.map((price) => `estimatedRecognitionCost${prices.length > 1 ? `At${price}` : ''}`);
  const header = csvLine([by === 'day' ? 'day' : 'roomName', ...figureNames, ...costs]);
  const lines = groups.map((group) =>
    csvLine([
      group.key,
      ...figureNames.map((name) => group[name]),
      ...prices.map((price) => Number(costOf(group, price).toFixed(4))),
    ]),
  );
  return [header, ...lines];
}
