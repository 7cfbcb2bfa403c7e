import type uPlot from 'uplot';
import type { Line } from './lines.ts';
import type { Palette } from './palette.ts';

/** The values of the lines at the times of the chart. */
export type LineValues = {
  readonly times: readonly number[];
  readonly values: readonly (readonly (number | null)[])[];
};

/**
 * Browsers draw lines of one pixel about fifty times as fast as wider ones that go up and down in each column, and short paths faster than long
 * ones. So a wider line is several lines of one pixel, and each is drawn in short paths.
 */
const pointsOfPath = 40;

/** Draws all lines, the last one above the others. */
export function drawLines(
  plot: uPlot,
  lines: readonly Pick<Line, 'color' | 'dash' | 'width'>[],
  { times, values }: LineValues,
  palette: Palette,
): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top - ratio, bbox.width, bbox.height + 2 * ratio);
  ctx.clip();
  ctx.lineWidth = 1;
  for (const [index, { color, dash, width }] of lines.entries()) {
    ctx.strokeStyle = palette[color];
    ctx.setLineDash(dash.map((length) => length * ratio));
    const strokes = Math.max(1, Math.round(width * ratio));
    for (let stroke = 0; stroke < strokes; stroke++) {
      drawLine(plot, times, values[index] ?? [], stroke - (strokes - 1) / 2);
    }
  }
  ctx.restore();
}

function drawLine(plot: uPlot, times: readonly number[], values: readonly (number | null)[], shift: number): void {
  const { ctx } = plot;
  const [x, y] = [positions(plot, 'x'), positions(plot, 'y')];
  let points = 0;
  ctx.lineDashOffset = 0;
  for (let index = 0; index < times.length; index++) {
    const value = values[index];
    if (value === null || value === undefined) {
      if (points > 0) ctx.stroke();
      points = 0;
      continue;
    }
    const [left, top] = [x.at(times[index] as number) + shift, y.at(value) + shift];
    if (points === 0) {
      ctx.beginPath();
      ctx.moveTo(left, top);
    } else ctx.lineTo(left, top);
    points += 1;
    if (points <= pointsOfPath) continue;
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(left, top);
    points = 1;
  }
  if (points > 0) ctx.stroke();
}

/** Where values of a scale are on the canvas. */
function positions(plot: uPlot, scale: 'x' | 'y') {
  const { min = 0, max = 1 } = plot.scales[scale] ?? {};
  const zero = plot.valToPos(min, scale, true);
  const perUnit = max === min ? 0 : (plot.valToPos(max, scale, true) - zero) / (max - min);
  return { at: (value: number) => zero + (value - min) * perUnit };
}
