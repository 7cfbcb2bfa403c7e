import type { TimeWindow } from '../../../../parts/time-window/window.ts';
import { decimate, gridOf, timesOf, valuesOf } from './decimate.ts';
import { densestOf, type Line } from './lines.ts';
import { createPlot, type Plot, type PlotStructure } from './plot.ts';
import type { Mark } from './plot-marks.ts';
import type { SeriesName } from './samples.ts';
import { inPieces, inSlices } from './slices.ts';

/** All that one chart shows. */
export type Painting = Omit<PlotStructure, 'lines'> & {
  readonly name: SeriesName;
  readonly lines: readonly Line[];
  readonly window: TimeWindow;
  readonly bands: readonly TimeWindow[];
  readonly marks: readonly Mark[];
};

/**
 * Paints a chart in small pieces of work, so that the page goes on answering. What comes while it paints is painted next, and what was overtaken
 * by then is left out.
 */
export function createPainter(container: HTMLElement) {
  let plot: Plot | undefined;
  let structure: readonly unknown[] = [];
  let next: Painting | undefined;
  let latest: Painting | undefined;
  let isBusy = false;
  let isDestroyed = false;

  async function work(): Promise<void> {
    isBusy = true;
    while (next && !isDestroyed) {
      const painting = next;
      next = undefined;
      const content = await contentOf(painting);
      if (isDestroyed) break;
      const needed = structureOf(painting);
      if (!plot || needed.some((part, index) => part !== structure[index])) {
        plot?.destroy();
        plot = createPlot(container, painting);
        structure = needed;
        await inPieces();
        if (isDestroyed) break;
      }
      plot.draw(content);
      await inPieces(); // each of the four charts draws in a piece of its own
    }
    isBusy = false;
  }

  return {
    paint(painting: Painting): void {
      if (latest && isSame(latest, painting)) return;
      next = painting;
      latest = painting;
      if (!isBusy) void work();
    },
    destroy(): void {
      isDestroyed = true;
      plot?.destroy();
      plot = undefined;
    },
  };
}

async function contentOf({ name, lines, window, width, bands, marks }: Painting) {
  const grid = gridOf(window, width, densestOf(lines));
  const values: (number | null)[][] = [];
  await inSlices();
  const times = timesOf(grid);
  for (const { series } of lines) {
    values.push(valuesOf(decimate(series[name], grid)));
    await inSlices();
  }
  return { window, times, values, bands, marks };
}

/** The parts of a painting that need a new chart if they change. */
function structureOf({ lines, palette, width, height, zone }: Painting): readonly unknown[] {
  const looks = lines.map(({ color, dash, width: lineWidth }) => `${color} ${dash} ${lineWidth}`).join();
  return [looks, palette, width, height, zone];
}

function isSame(one: Painting, other: Painting): boolean {
  const keys = Object.keys(one) as (keyof Painting)[];
  return keys.every((key) => one[key] === other[key]);
}
