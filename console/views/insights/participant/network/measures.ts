import { formatBitrate, formatNumber, formatPercent } from '../../../../parts/formats.ts';
import { texts } from '../../../../texts/en.ts';
import type { SeriesName } from './samples.ts';

/** How the values of a chart are written. */
export type Measure = {
  /** The unit of the axis. */
  readonly unit: string;
  /** A value on the axis, in that unit. */
  readonly onAxis: (value: number) => string;
  /** A value with the unit that fits it best. */
  readonly inWords: (value: number) => string;
};

const loss: Measure = { unit: texts.participant.axis.loss, onAxis: formatNumber, inWords: formatPercent };
const bitrate: Measure = {
  unit: texts.participant.axis.bitrate,
  onAxis: (bitsPerSecond) => formatNumber(bitsPerSecond / 1000),
  inWords: formatBitrate,
};

/** How the values of a series are written. */
export function measureOf(name: SeriesName): Measure {
  return name.startsWith('bitrate') ? bitrate : loss;
}
