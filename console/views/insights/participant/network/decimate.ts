import type { TimeWindow } from '../../../../parts/time-window/window.ts';
import type { Series } from './samples.ts';

/** The columns of a chart: so many of equal width within a window. */
export type Grid = TimeWindow & { readonly columns: number };

/** The lowest and the highest value of each column, one after the other. A column without values has NaN twice. */
export type Columns = Float64Array;

/** So that a sample that begins where a column does is in that column, whatever floating point makes of it. */
const tolerance = 1e-6;

/**
 * Reduces series to what a chart of some pixels can show: the lowest and the highest value of each column. A sample stands for the time until the next
 * one, so a column without any is a gap.
 */
export function decimate(series: readonly Series[], grid: Grid): Columns {
  const result = new Float64Array(2 * grid.columns).fill(Number.NaN);
  for (const each of series) addTo(result, each, grid);
  return result;
}

function addTo(result: Columns, { from, rateMs, values }: Series, grid: Grid): void {
  const columnMs = (grid.to - grid.from) / grid.columns;
  const first = Math.max(0, Math.floor((grid.from - from) / rateMs));
  const end = Math.min(values.length, Math.ceil((grid.to - from) / rateMs));
  for (let index = first; index < end; index++) {
    const value = values[index] as number;
    if (Number.isNaN(value)) continue;
    const begin = (from + index * rateMs - grid.from) / columnMs + tolerance;
    const column = Math.max(0, Math.floor(begin));
    const last = rateMs <= columnMs ? Math.floor(begin) : Math.ceil(begin + rateMs / columnMs - 2 * tolerance) - 1;
    for (let at = column; at <= last && at < grid.columns; at++) {
      // A comparison with NaN is false, so the first value always counts.
      if (!(value >= (result[2 * at] as number))) result[2 * at] = value;
      if (!(value <= (result[2 * at + 1] as number))) result[2 * at + 1] = value;
    }
  }
}

/** Columns that are no narrower than the samples are apart: otherwise each would stand alone. */
export function gridOf({ from, to }: TimeWindow, pixels: number, rateMs: number | undefined): Grid {
  const most = rateMs === undefined ? pixels : Math.floor((to - from) / rateMs);
  return { from, to, columns: Math.max(2, Math.min(Math.floor(pixels), most)) };
}

/** The times of the values of all columns: two in each. */
export function timesOf({ from, to, columns }: Grid): number[] {
  const columnMs = (to - from) / columns;
  return Array.from({ length: 2 * columns }, (_, index) => from + (index * columnMs) / 2);
}

/** Values as the chart takes them: what is missing is null. */
export function valuesOf(columns: Columns): (number | null)[] {
  return Array.from(columns, (value) => (Number.isNaN(value) ? null : value));
}

/** The value of a series at a time, or null. The first one that has a value counts. */
export function valueAt(series: readonly Series[], time: number): number | null {
  for (const { from, rateMs, values } of series) {
    const value = values[Math.floor((time - from) / rateMs)];
    if (value !== undefined && !Number.isNaN(value)) return value;
  }
  return null;
}
