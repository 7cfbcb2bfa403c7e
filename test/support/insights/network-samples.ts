import { sampleSeries } from '#shared/contracts/insights/insights.ts';
import type { SampleBlock } from '#shared/contracts/insights/network-samples.ts';
import { at } from './session-facts.ts';

/** Values of one series. */
export type Values = readonly (number | null)[];

/** The four series, all with the same values. */
export function seriesOf(values: Values) {
  return Object.fromEntries(sampleSeries.map((name) => [name, [...values]])) as Record<
    (typeof sampleSeries)[number],
    (number | null)[]
  >;
}

/** Samples that start at a time, by default one every two seconds, with the same values in all four series. */
export function block(time: string, values: Values, sampleRateMs = 2000): SampleBlock {
  return { startedAt: time.includes('T') ? time : at(time), sampleRateMs, ...seriesOf(values) };
}
