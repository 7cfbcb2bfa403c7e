/** One series of a chart. Bars are stacked in their order; dots have a scale of their own, on the right. */
export type BarSeries = {
  readonly label: string;
  readonly kind: 'bars' | 'dots';
  readonly token: 'series-1' | 'series-2' | 'series-3';
  readonly values: readonly (number | null)[];
};

/** The data of a chart. `x` is in seconds and goes up; `step` is the usual distance of two bars, in seconds. */
export type BarChartData = {
  readonly x: readonly number[];
  readonly step: number;
  readonly series: readonly BarSeries[];
};
