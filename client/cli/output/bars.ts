import { plot } from 'simple-ascii-chart';
import { short } from './text.ts';

/** Numbers in the order of time. Null is a missing value. */
export type Values = readonly (number | null)[];

/** The time range of a chart. */
type Range = { readonly from: number; readonly spanMs: number };

const rows = 4;
const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const labelColumns = 6;
/** The columns of a chart that have no bars: labels, the axis, and the arrow at its end. */
export const marginColumns = labelColumns + 2;

/** The lines of a chart with one bar per value: a blank for a missing value, the lowest bar for zero. */
export function bars(values: Values, range: Range): string[] {
  const top = roundUp(values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0));
  const ticks = timeTicks(range, values.length);
  // The points only set the range of both axes: `bar` draws the bars.
  const points = values.map((_, column): [number, number] => [column, column === 0 ? top : 0]);
  const chart = plot(points, {
    width: values.length,
    height: rows,
    customYAxisTicks: [0, top],
    customXAxisTicks: [...ticks.keys()],
    formatter: (value, { axis }) => (axis === 'x' ? (ticks.get(value) ?? '') : short(value)),
    lineFormatter: ({ x, plotX }) =>
      bar(values[x] ?? null, top).map((symbol, row) => ({ x: plotX, y: rows - row, symbol })),
  });
  const [, ...lines] = chart.split('\n').filter((line) => line.trim() !== ''); // without the arrow of the axis
  const indent = ' '.repeat(Math.max(0, labelColumns - (lines[0] ?? '').indexOf('┤')));
  return lines.map((line) => (indent + line).trimEnd());
}

/** The symbols of one bar from bottom to top, in eighths of a row. */
function bar(value: number | null, top: number): string[] {
  if (value === null) return [];
  const height = Math.max(1, Math.round((value / top) * rows * 8));
  return Array.from({ length: Math.ceil(height / 8) }, (_, row) => eighths[Math.min(8, height - row * 8)] ?? '');
}

/** The lowest top of a chart. Labels of smaller values do not fit. */
const least = 1e-6;

/** Rounds up to one digit, or 1.5, times a power of ten. Zero becomes 1. */
function roundUp(value: number): number {
  if (value === 0) return 1;
  const exponent = Math.floor(Math.log10(Math.max(least, value)));
  const powers = [exponent, exponent + 1].flatMap((power) =>
    [1, 1.5, 2, 3, 4, 5, 6, 8].map((digit) => Number(`${digit}e${power}`)),
  );
  return powers.find((number) => number >= value) ?? value;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12, 24, 48, 96].map((count) => count * hour),
];
/** Minimum number of columns between two times. */
const tickColumns = 12;

/** The columns with a label: round times in UTC. */
function timeTicks({ from, spanMs }: Range, width: number): Map<number, string> {
  const columnMs = spanMs / width;
  const step = steps.find((ms) => ms >= tickColumns * columnMs) ?? Math.ceil(tickColumns * columnMs);
  const first = Math.ceil(from / step) * step;
  const times = Array.from({ length: Math.ceil((from + spanMs - first) / step) }, (_, index) => first + index * step);
  const length = step < minute ? 8 : 5;
  const ticks = times.map((time): [number, string] => {
    return [Math.floor((time - from) / columnMs), new Date(time).toISOString().slice(11, 11 + length)];
  });
  // A label ends below its tick, so the first labels can be too long.
  return new Map(ticks.filter(([column]) => column + labelColumns >= length));
}
