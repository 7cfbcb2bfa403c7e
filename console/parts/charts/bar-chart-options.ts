import uPlot from 'uplot';
import type { Zone } from '../zone.ts';
import { axisLabels } from './axis-labels.ts';
import type { BarChartData, BarSeries } from './bar-chart-data.ts';
import type { ChartColors } from './chart-colors.ts';
import { stacked } from './stacked.ts';
import { drawnRange, type Range, wholeRange } from './zoom-range.ts';

/** The data as it is drawn: the highest stack first, so that the lower ones cover it. */
export function drawnData({ x, series }: BarChartData): uPlot.AlignedData {
  const bars = stacked(series.filter(({ kind }) => kind === 'bars').map(({ values }) => values)).toReversed();
  const dots = series.filter(({ kind }) => kind === 'dots').map(({ values }) => values);
  return [x, ...bars, ...dots] as uPlot.AlignedData;
}

type Appearance = {
  readonly colors: ChartColors;
  readonly zone: Zone;
  readonly width: number;
  readonly height: number;
};

const day = 86_400;
const dayIncrements = [day, 2 * day, 7 * day, 14 * day, 28 * day, 56 * day];

/** The options of a chart, with the colours of the theme and the times of the zone. */
export function barChartOptions(data: BarChartData, { colors, zone, width, height }: Appearance): uPlot.Options {
  const all = wholeRange(data.x, data.step);
  const bars = data.series.filter(({ kind }) => kind === 'bars').toReversed();
  const dots = data.series.filter(({ kind }) => kind === 'dots');
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false }, points: { show: false } },
    ...(zone === 'utc' && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    scales: {
      x: {
        time: true,
        range: (_, from, to): [number, number] => [...drawnRange([from, to], data.x, all)],
      },
      left: { range: fromZero },
      right: { range: fromZero },
    },
    axes: axesOf(data, { colors, zone }),
    series: [{}, ...bars.map((each) => barsOf(each, colors)), ...dots.map((each) => dotsOf(each, colors))],
  };
}

/** The times below, what the bars count on the left, and what the dots count on the right. */
function axesOf(
  { scales, isDaily }: BarChartData,
  { colors, zone }: Pick<Appearance, 'colors' | 'zone'>,
): uPlot.Axis[] {
  const axis = {
    stroke: colors['text-soft'],
    ticks: { stroke: colors.border, width: 1 },
    font: '12px system-ui, sans-serif',
  };
  const label = { labelFont: axis.font, labelGap: 2, labelSize: 18 };
  return [
    {
      ...axis,
      grid: { show: false },
      space: 64,
      ...(isDaily && { incrs: dayIncrements }),
      values: (_, seconds, __, ___, step) => axisLabels(seconds, step, zone),
    },
    {
      ...{ ...axis, ...label, label: scales.bars },
      ...{ scale: 'left', size: 66, grid: { stroke: colors['border-soft'], width: 1 } },
    },
    {
      ...{ ...axis, ...label, label: scales.dots ?? '' },
      ...{ scale: 'right', side: 1, size: 36, grid: { show: false }, show: scales.dots !== undefined },
    },
  ];
}

function barsOf({ label, token }: BarSeries, colors: ChartColors): uPlot.Series {
  return {
    label,
    scale: 'left',
    stroke: colors[token],
    fill: colors[token],
    width: 0,
    paths: uPlot.paths.bars?.({ size: [0.7, 60, 3] }) as uPlot.Series.PathBuilder,
    points: { show: false },
  };
}

function dotsOf({ label, token }: BarSeries, colors: ChartColors): uPlot.Series {
  return {
    label,
    scale: 'right',
    stroke: colors[token],
    paths: () => null,
    points: { show: true, size: 13, stroke: colors.surface, width: 3, fill: colors[token] },
  };
}

function fromZero(_: uPlot, __: number | null, most: number | null): [number, number] {
  return [0, most ? most * 1.08 : 1];
}

/** The range that shows all of the data. */
export function allOf({ x, step }: BarChartData): Range {
  return wholeRange(x, step);
}
