import { useState } from 'react';
import { usePreferences } from '../../app/preferences.tsx';
import { texts } from '../../texts/en.ts';
import { formatNumber } from '../formats.ts';
import type { Zone } from '../zone.ts';
import styles from './bar-chart.module.css';
import type { BarChartData } from './bar-chart-data.ts';
import { useChartColors } from './chart-colors.ts';
import { useBarChart } from './use-bar-chart.ts';

type BarChartProps = {
  /** What the chart shows. A table on the same page has the same figures. */
  readonly label: string;
  readonly data: BarChartData;
  /** How the time of a bar is written. */
  readonly formatX: (seconds: number) => string;
  /** The zone of the axis. Default: the one that the reader prefers. */
  readonly zone?: Zone;
  /** Called with the index of a bar that the reader clicks. */
  readonly onPick?: (index: number) => void;
};

/**
 * Bars over time, with a legend that tells the figures under the pointer. The reader zooms by dragging or by buttons. Several series of bars
 * are stacked; a series of dots has a scale of its own.
 */
export function BarChart({ label, data, formatX, zone, onPick }: BarChartProps) {
  const colors = useChartColors();
  const preferences = usePreferences();
  const [hovered, setHovered] = useState<number>();
  const { holder, zoom } = useBarChart({ data, colors, zone: zone ?? preferences.zone, onHover: setHovered, onPick });
  return (
    <figure className={styles.chart} aria-label={label}>
      <figcaption className={styles.caption}>
        <Legend data={data} hovered={hovered} formatX={formatX} />
        <ZoomButtons zoom={zoom} />
      </figcaption>
      <div ref={holder} className={styles.holder} data-picks={onPick !== undefined} aria-hidden="true" />
    </figure>
  );
}

type LegendProps = Pick<BarChartProps, 'data' | 'formatX'> & { readonly hovered: number | undefined };

function Legend({ data, hovered, formatX }: LegendProps) {
  const x = hovered === undefined ? undefined : data.x[hovered];
  return (
    <ul className={styles.legend}>
      {data.series.map(({ label, token, kind, values }) => (
        <li key={label}>
          <span className={styles.swatch} data-kind={kind} style={{ background: `var(--${token})` }} />
          {label}
          {x !== undefined && hovered !== undefined && <strong>{formatNumber(values[hovered] ?? 0)}</strong>}
        </li>
      ))}
      <li className={styles.at}>{x === undefined ? '' : formatX(x)}</li>
    </ul>
  );
}

/** What the buttons of a chart do to its range of times. */
export type Zoom = 'in' | 'out' | 'back' | 'forth' | 'all';

function ZoomButtons({ zoom }: { readonly zoom: (how: Zoom) => void }) {
  const { chart } = texts.common;
  const buttons: readonly (readonly [Zoom, string, string])[] = [
    ['in', '+', chart.zoomIn],
    ['out', '−', chart.zoomOut],
    ['back', '←', chart.back],
    ['forth', '→', chart.forth],
  ];
  return (
    <fieldset className={`${styles.zoom} no-print`} aria-label={chart.zoom}>
      {buttons.map(([how, sign, name]) => (
        <button key={how} type="button" className="button" aria-label={name} title={name} onClick={() => zoom(how)}>
          {sign}
        </button>
      ))}
      <button type="button" className="button" onClick={() => zoom('all')}>
        {chart.all}
      </button>
    </fieldset>
  );
}
