import { usePreferences } from '../../../../app/preferences.tsx';
import { formatPart } from '../../../../parts/formats.ts';
import styles from './charts.module.css';
import { valueAt } from './decimate.ts';
import { LineName } from './line-name.tsx';
import type { Line } from './lines.ts';
import type { Measure } from './measures.ts';
import type { SeriesName } from './samples.ts';

type ReadoutProps = {
  readonly time: number | undefined;
  readonly name: SeriesName;
  readonly lines: readonly Line[];
  readonly measure: Measure;
};

/** The values under the pointer. Those who do not point find the same in the table of figures. */
export function Readout({ time, name, lines, measure }: ReadoutProps) {
  const { zone } = usePreferences();
  const values = time === undefined ? [] : lines.map((line) => ({ line, value: valueAt(line.series[name], time) }));
  const known = values.filter(({ value }) => value !== null);
  return (
    <p className={styles.readout} aria-hidden="true">
      {time !== undefined && <strong>{formatPart(time, zone, 'second')}</strong>}
      {known.map(({ line, value }) => (
        <span key={`${line.key} ${'name' in line.of ? line.of.lane : ''}`}>
          <LineName of={line.of} name={name} /> {value !== null && measure.inWords(value)}
        </span>
      ))}
    </p>
  );
}
