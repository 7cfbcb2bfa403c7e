/** A range of time in milliseconds since 1970. `to` is not part of it. */
export type TimeWindow = { readonly from: number; readonly to: number };

/** No window is shorter: below this, samples are further apart than pixels. */
export const shortestMs = 10_000;

/** The window around a moment that is `factor` times as long: below 1 it zooms in. It stays within the extent. */
export function zoomed({ from, to }: TimeWindow, extent: TimeWindow, factor: number, at = (from + to) / 2): TimeWindow {
  const length = Math.max(shortestMs, (to - from) * factor);
  const share = (at - from) / (to - from);
  return within({ from: at - length * share, to: at + length * (1 - share) }, extent);
}

/** The window moved by a part of its length: below 0 to earlier times. It stays within the extent. */
export function panned({ from, to }: TimeWindow, extent: TimeWindow, part: number): TimeWindow {
  const byMs = (to - from) * part;
  return within({ from: from + byMs, to: to + byMs }, extent);
}

/** The nearest window within the extent. It keeps its length if the extent is as long, and is never shorter than ten seconds. */
export function within({ from, to }: TimeWindow, extent: TimeWindow): TimeWindow {
  const length = Math.max(shortestMs, Math.round(to - from));
  if (length >= extent.to - extent.from) return extent;
  const start = Math.round(Math.min(Math.max(from, extent.from), extent.to - length));
  return { from: start, to: start + length };
}

/** Reads the window of an address. What is missing or wrong is the whole extent. */
export function readWindow(
  search: { readonly from?: string | undefined; readonly to?: string | undefined },
  extent: TimeWindow,
): TimeWindow {
  const [from, to] = [Date.parse(search.from ?? ''), Date.parse(search.to ?? '')];
  const window = { from: Number.isNaN(from) ? extent.from : from, to: Number.isNaN(to) ? extent.to : to };
  return window.to > window.from ? within(window, extent) : extent;
}

/** Writes a window for an address. The whole extent is no parameter at all. */
export function writeWindow(
  window: TimeWindow,
  extent: TimeWindow,
): { from: string | undefined; to: string | undefined } {
  if (isWhole(window, extent)) return { from: undefined, to: undefined };
  return { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() };
}

/** Whether a window shows all of the extent. */
export function isWhole(window: TimeWindow, extent: TimeWindow): boolean {
  return window.from <= extent.from && window.to >= extent.to;
}

/** The smallest range with all of these times. Undefined values do not count. */
export function extentOf(times: Iterable<number | null | undefined>): TimeWindow | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) {
    if (time === null || time === undefined || Number.isNaN(time)) continue;
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  if (from > to) return undefined;
  return { from, to: Math.max(to, from + shortestMs) };
}

/** The time of an ISO 8601 text, or undefined without one. */
export function timeOf(text: string | null | undefined): number | undefined {
  return text ? Date.parse(text) : undefined;
}
