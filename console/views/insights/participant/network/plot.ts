import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatPart } from '../../../../parts/formats.ts';
import { offsetOf, partsOf, ticksOf } from '../../../../parts/time-window/ticks.ts';
import type { TimeWindow } from '../../../../parts/time-window/window.ts';
import type { Zone } from '../../../../parts/zone.ts';
import type { Line } from './lines.ts';
import type { Measure } from './measures.ts';
import type { Palette } from './palette.ts';
import { drawLines } from './plot-lines.ts';
import { drawBands, drawMarks, drawUnit, type Mark } from './plot-marks.ts';

/** What of a chart needs a new one if it changes. */
export type PlotStructure = {
  readonly lines: readonly Pick<Line, 'color' | 'dash' | 'width'>[];
  readonly palette: Palette;
  readonly width: number;
  readonly height: number;
  readonly zone: Zone;
  readonly measure: Measure;
  readonly handlers: PlotHandlers;
};

/** What the reader does with the pointer. */
export type PlotHandlers = {
  /** A range was chosen by dragging. */
  readonly onSelect: (window: TimeWindow) => void;
  /** The window is to move by a part of its length. */
  readonly onPan: (part: number) => void;
  /** The window is to zoom around a time. */
  readonly onZoom: (factor: number, at: number) => void;
  /** The pointer is at a time, in this or in another chart, or has left. */
  readonly onCursor: (time: number | undefined) => void;
};

/** What a chart shows at the moment. */
export type PlotContent = {
  readonly window: TimeWindow;
  readonly times: readonly number[];
  readonly values: readonly (readonly (number | null)[])[];
  readonly bands: readonly TimeWindow[];
  readonly marks: readonly Mark[];
};

/** A chart on a canvas. */
export type Plot = { readonly draw: (content: PlotContent) => void; readonly destroy: () => void };

const axisWidth = 52;
const leastTickPixels = 64;
/** The strip of bad minutes is above the lines. */
const roomAbove = 1.12;

/** Creates a chart. All charts of the page share the cursor. */
export function createPlot(container: HTMLElement, structure: PlotStructure): Plot {
  const { handlers } = structure;
  let content: PlotContent = { window: { from: 0, to: 1 }, times: [], values: [], bands: [], marks: [] };
  const plot = new uPlot(
    {
      width: structure.width,
      height: structure.height,
      ms: 1,
      padding: [18, 22, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: () => [content.window.from, content.window.to] },
        y: { range: (_, __, most) => [0, most > 0 ? most * roomAbove : 1] },
      },
      axes: axesOf(structure, () => content.window),
      series: [{}, ...structure.lines.map(() => ({ paths: () => null, points: { show: false } }))],
      cursor: cursorOf(handlers),
      hooks: {
        drawClear: [(self) => drawBands(self, content.bands, structure.palette)],
        draw: [
          (self) => drawLines(self, structure.lines, content, structure.palette),
          (self) => drawMarks(self, content.marks, structure.palette),
          (self) => drawUnit(self, structure.measure.unit, structure.palette),
        ],
        setSelect: [(self) => select(self, handlers)],
        setCursor: [(self) => handlers.onCursor(timeAt(self))],
        ready: [
          (self) => self.over.addEventListener('wheel', (event) => wheel(self, event, handlers), { passive: false }),
        ],
      },
    },
    [[], ...structure.lines.map(() => [])],
    container,
  );
  return {
    draw: (next) => {
      content = next;
      plot.setData([next.times, ...next.values] as unknown as uPlot.AlignedData);
    },
    destroy: () => plot.destroy(),
  };
}

function axesOf({ palette, zone, measure }: PlotStructure, windowOf: () => TimeWindow): uPlot.Axis[] {
  const look = {
    stroke: palette.text,
    grid: { stroke: palette.grid, width: 1 },
    ticks: { stroke: palette.grid, width: 1 },
  };
  const ticks = (self: uPlot) => {
    const window = windowOf();
    return ticksOf(
      window,
      Math.max(2, self.bbox.width / devicePixelRatio / leastTickPixels),
      offsetOf(window.from, zone),
    );
  };
  return [
    {
      ...look,
      size: 28,
      gap: 2,
      splits: (self) => [...ticks(self).times],
      values: (self, times) => {
        const { stepMs } = ticks(self);
        return times.map((time) => formatPart(time, zone, partsOf(time, stepMs, offsetOf(time, zone))));
      },
    },
    {
      ...look,
      size: axisWidth,
      gap: 4,
      space: 32,
      values: (_, values) => values.map(measure.onAxis),
    },
  ];
}

function cursorOf({ onPan }: PlotHandlers): uPlot.Cursor {
  return {
    y: false,
    points: { show: false },
    drag: { x: true, y: false, setScale: false, dist: 5 },
    // A drag in one chart must not select in all of them.
    sync: {
      key: 'network',
      filters: { pub: () => true, sub: (type) => type === 'mousemove' || type === 'mouseleave' },
    },
    bind: {
      mousedown: (self, _, handle) => (event) => {
        if (event.shiftKey && event.button === 0) pan(self, event, onPan);
        else handle(event);
        return null;
      },
      dblclick: () => () => null,
    },
  };
}

/** Moves the window with the pointer until the button is released. */
function pan(self: uPlot, { clientX }: MouseEvent, onPan: PlotHandlers['onPan']): void {
  const { width } = self.over.getBoundingClientRect();
  let before = clientX;
  const move = (event: MouseEvent) => {
    if (event.clientX !== before) onPan((before - event.clientX) / width);
    before = event.clientX;
  };
  const end = () => {
    removeEventListener('mousemove', move);
    removeEventListener('mouseup', end);
  };
  addEventListener('mousemove', move);
  addEventListener('mouseup', end);
}

/** With Shift or sideways, the wheel moves the window. With Ctrl, it zooms. Otherwise the page scrolls. */
function wheel(self: uPlot, event: WheelEvent, { onPan, onZoom }: PlotHandlers): void {
  const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (event.ctrlKey) {
    event.preventDefault();
    const { left } = self.over.getBoundingClientRect();
    onZoom(event.deltaY > 0 ? 1.25 : 0.8, self.posToVal(event.clientX - left, 'x'));
  } else if (sideways !== 0 && Math.abs(sideways) >= Math.abs(event.shiftKey ? 0 : event.deltaY)) {
    event.preventDefault();
    onPan(sideways / self.over.clientWidth);
  }
}

function select(self: uPlot, { onSelect }: PlotHandlers): void {
  const { left, width } = self.select;
  if (width === 0) return;
  onSelect({ from: self.posToVal(left, 'x'), to: self.posToVal(left + width, 'x') });
  self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function timeAt({ cursor: { left }, posToVal }: uPlot): number | undefined {
  return left === undefined || left < 0 ? undefined : posToVal(left, 'x');
}
