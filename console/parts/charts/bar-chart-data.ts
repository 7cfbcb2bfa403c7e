/** One series of a chart. Bars are stacked in their order; dots have a scale of their own, on the right. */
export type BarSeries = {
  readonly label: string;
  readonly kind: 'bars' | 'dots';
  readonly token: 'series-1' | 'series-2' | 'series-3';
  readonly values: readonly number[];
};

/** Whether a chart has anything to draw. One of zeros would be empty. */
export function isDrawable({ series }: BarChartData): boolean {
  return series.some(({ values }) => values.some((value) => value > 0));
}

/** The data of a chart. `x` is in seconds and goes up; `step` is the usual distance of two bars, in seconds. */
export type BarChartData = {
  readonly x: readonly number[];
  readonly step: number;
  /** Each bar is of a whole day: the axis has days alone. */
  readonly isDaily?: true;
  /** What the scales count: that of the bars on the left, and that of the dots on the right. */
  readonly scales: { readonly bars: string; readonly dots?: string };
  readonly series: readonly BarSeries[];
};
