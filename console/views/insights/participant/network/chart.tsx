import { useEffect, useMemo, useRef, useState } from 'react';
import { usePreferences } from '../../../../app/preferences.tsx';
import { useWidth } from '../../../../parts/page/use-width.ts';
import type { WindowState } from '../../../../parts/time-window/use-window.ts';
import { panned, type TimeWindow, within, zoomed } from '../../../../parts/time-window/window.ts';
import { texts } from '../../../../texts/en.ts';
import styles from './charts.module.css';
import type { Line } from './lines.ts';
import { measureOf } from './measures.ts';
import { createPainter, type Painting } from './painter.ts';
import { usePalette } from './palette.ts';
import type { PlotHandlers } from './plot.ts';
import type { Mark } from './plot-marks.ts';
import { Readout } from './readout.tsx';
import type { SeriesName } from './samples.ts';

type ChartProps = {
  readonly name: SeriesName;
  readonly lines: readonly Line[];
  readonly state: WindowState;
  readonly bands: readonly TimeWindow[];
  readonly marks: readonly Mark[];
};

/** Large screens have room for higher charts. */
const heightOf = (width: number) => (width > 1800 ? 280 : 190);

/** One of the four charts: lines over time, with bad minutes marked behind them. */
export function Chart({ name, lines, state, bands, marks }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const width = useWidth(container);
  const palette = usePalette(container);
  const { zone } = usePreferences();
  const [time, setTime] = useState<number>();
  const handlers = usePlotHandlers(state, setTime);
  const { window } = state;
  const measure = measureOf(name);
  usePainter(
    container,
    palette && width > 0
      ? { name, lines, window, bands, marks, measure, palette, width, height: heightOf(width), zone, handlers }
      : undefined,
  );
  const title = texts.participant.series[name];
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.chartHead}>
        <h3>{title}</h3>
        <Readout time={time} name={name} lines={lines} measure={measure} />
      </figcaption>
      <div ref={container} role="img" aria-label={texts.participant.chartOf(title)} className={styles.plot} />
    </figure>
  );
}

/** Paints the latest content, and removes the chart at the end. */
function usePainter(container: { readonly current: HTMLElement | null }, painting: Painting | undefined): void {
  const painter = useRef<ReturnType<typeof createPainter>>(undefined);
  useEffect(() => {
    if (!container.current) return;
    painter.current = createPainter(container.current);
    return () => {
      painter.current?.destroy();
      painter.current = undefined;
    };
  }, [container]);
  useEffect(() => {
    if (painting) painter.current?.paint(painting);
  });
}

/** The same handlers for the life of a chart: they read the latest window. */
function usePlotHandlers(state: WindowState, onCursor: PlotHandlers['onCursor']): PlotHandlers {
  const latest = useRef(state);
  latest.current = state;
  return useMemo(() => {
    const slide = (change: (window: TimeWindow, extent: TimeWindow) => TimeWindow) => {
      const { window, extent } = latest.current;
      latest.current.slide(change(window, extent));
    };
    return {
      onSelect: (window) => latest.current.show(within(window, latest.current.extent)),
      onPan: (part) => slide((window, extent) => panned(window, extent, part)),
      onZoom: (factor, at) => slide((window, extent) => zoomed(window, extent, factor, at)),
      onCursor,
    };
  }, [onCursor]);
}
