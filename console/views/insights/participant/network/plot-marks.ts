import type uPlot from 'uplot';
import type { TimeWindow } from '../../../../parts/time-window/window.ts';
import type { Palette } from './palette.ts';

/** What the participant did at a time. */
export type Mark = { readonly time: number; readonly type: 'joined' | 'left' | 'rated' };

/** The sign of each kind of mark, in charts and in their legend. */
export const signs = { joined: '▶', left: '◀', rated: '★' } as const;

/** The hatched strip of bad minutes at the upper edge. */
const stripPixels = 7;

/** Marks the bad minutes behind the lines: a pale ground, and a hatched strip above, which tells them without the colour. */
export function drawBands(plot: uPlot, bands: readonly TimeWindow[], palette: Palette): void {
  const { ctx, bbox } = plot;
  const pattern = patternOf(ctx, palette.bad);
  const strip = stripPixels * devicePixelRatio;
  ctx.save();
  for (const { from, to } of bands) {
    const place = placeOf(plot, from, to);
    if (!place) continue;
    ctx.globalAlpha = 0.1;
    ctx.fillStyle = palette.bad;
    ctx.fillRect(place.left, bbox.top, place.width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillStyle = pattern;
    ctx.fillRect(place.left, bbox.top, place.width, strip);
    ctx.fillStyle = palette.bad;
    ctx.fillRect(place.left, bbox.top + strip, place.width, devicePixelRatio);
  }
  ctx.restore();
}

/** Writes the unit of the values above their axis. */
export function drawUnit({ ctx, bbox }: uPlot, unit: string, palette: Palette): void {
  ctx.save();
  ctx.font = `${12 * devicePixelRatio}px sans-serif`;
  ctx.fillStyle = palette.text;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'bottom';
  ctx.fillText(unit, bbox.left - 4 * devicePixelRatio, bbox.top - 2 * devicePixelRatio);
  ctx.restore();
}

/** A band is never narrower than what the eye finds. */
const leastPixels = 3;

function placeOf(plot: uPlot, from: number, to: number) {
  const { bbox } = plot;
  const left = Math.max(bbox.left, plot.valToPos(from, 'x', true));
  const right = Math.min(bbox.left + bbox.width, plot.valToPos(to, 'x', true));
  if (right < left || left > bbox.left + bbox.width) return undefined;
  return { left, width: Math.max(right - left, leastPixels * devicePixelRatio) };
}

function patternOf(context: CanvasRenderingContext2D, color: string): CanvasPattern | string {
  const size = Math.round(5 * devicePixelRatio);
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const drawing = tile.getContext('2d');
  if (!drawing) return color;
  drawing.strokeStyle = color;
  drawing.lineWidth = devicePixelRatio;
  drawing.beginPath();
  for (const shift of [-size, 0, size]) {
    drawing.moveTo(shift, size);
    drawing.lineTo(shift + size, 0);
  }
  drawing.stroke();
  return context.createPattern(tile, 'repeat') ?? color;
}

/** Draws a thin line at each join, leave and rating, with its sign above. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], palette: Palette): void {
  const { ctx, bbox } = plot;
  const colors = { joined: palette.join, left: palette.leave, rated: palette.rating };
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px sans-serif`;
  ctx.textBaseline = 'bottom';
  ctx.lineWidth = devicePixelRatio;
  for (const { time, type } of marks) {
    const at = plot.valToPos(time, 'x', true);
    if (at < bbox.left - 1 || at > bbox.left + bbox.width + 1) continue;
    ctx.strokeStyle = colors[type];
    ctx.fillStyle = colors[type];
    ctx.textAlign = type === 'joined' ? 'left' : type === 'left' ? 'right' : 'center';
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.globalAlpha = 0.6;
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.fillText(signs[type], at, bbox.top);
  }
  ctx.restore();
}
