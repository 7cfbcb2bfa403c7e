import { type Ref, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { usePrinting } from '../page/use-printing.ts';
import type { Zone } from '../zone.ts';
import type { BarChartData } from './bar-chart-data.ts';
import { allOf, barChartOptions, drawnData } from './bar-chart-options.ts';
import type { ChartColors } from './chart-colors.ts';
import { zoomed } from './zoom-range.ts';

type BarChartInput = {
  readonly data: BarChartData;
  readonly colors: ChartColors;
  readonly zone: Zone;
  readonly onHover: (index: number | undefined) => void;
  readonly onPick: ((index: number) => void) | undefined;
};

type BarChartControl = {
  readonly holder: Ref<HTMLDivElement>;
  readonly zoom: (how: 'in' | 'out' | 'back' | 'forth' | 'all') => void;
};

/** The width of charts on paper: A4 with margins. */
const paperWidth = 680;

/** Draws a chart into an element, and again when data, theme or zone change. */
export function useBarChart({ data, colors, zone, onHover, onPick }: BarChartInput): BarChartControl {
  const holder = useRef<HTMLDivElement>(null);
  const maxWidth = usePrinting() ? paperWidth : Number.POSITIVE_INFINITY;
  const chart = useRef<uPlot>(null);
  const handlers = useRef({ onHover, onPick });
  useEffect(() => {
    handlers.current = { onHover, onPick };
  });
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const size = () => ({ width: Math.min(element.clientWidth, maxWidth), height: element.clientHeight });
    const options = barChartOptions(data, { colors, zone, ...size() });
    const plot = new uPlot(
      { ...options, hooks: { setCursor: [({ cursor }) => handlers.current.onHover(cursor.idx ?? undefined)] } },
      drawnData(data),
      element,
    );
    chart.current = plot;
    const pick = pickOf(plot, (index) => handlers.current.onPick?.(index));
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      pick.end();
      plot.destroy();
    };
  }, [data, colors, zone, maxWidth]);
  const zoom: BarChartControl['zoom'] = (how) => {
    const { min, max } = chart.current?.scales.x ?? {};
    if (min === undefined || max === undefined) return;
    const [from, to] = zoomed([min, max], how, allOf(data));
    chart.current?.setScale('x', { min: from, max: to });
  };
  return { holder, zoom };
}

/** A click picks a bar. A drag does not: it zooms. */
function pickOf(plot: uPlot, onPick: (index: number) => void): { readonly end: () => void } {
  let downAt = 0;
  const down = ({ clientX }: MouseEvent) => {
    downAt = clientX;
  };
  const up = ({ clientX }: MouseEvent) => {
    const { idx } = plot.cursor;
    if (Math.abs(clientX - downAt) < 3 && idx !== null && idx !== undefined) onPick(idx);
  };
  plot.over.addEventListener('mousedown', down);
  plot.over.addEventListener('click', up);
  return {
    end: () => {
      plot.over.removeEventListener('mousedown', down);
      plot.over.removeEventListener('click', up);
    },
  };
}
