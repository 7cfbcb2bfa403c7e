/** A time from one moment to a later one, in seconds or in steps of a grid. */
export type Span = { readonly from: number; readonly to: number };

/** The spans in order. Those that overlap or have at most `gap` between them are joined. */
export function joined(spans: readonly Span[], gap: number): Span[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && from - last.to <= gap) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** How long spans that do not overlap are together. */
export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** How long two lists of joined spans overlap. */
export function overlapOf(some: readonly Span[], others: readonly Span[]): number {
  let [overlap, first] = [0, 0];
  for (const { from, to } of some) {
    while (first < others.length && (others[first] as Span).to <= from) first += 1;
    for (let index = first; index < others.length && (others[index] as Span).from < to; index += 1) {
      const other = others[index] as Span;
      overlap += Math.min(to, other.to) - Math.max(from, other.from);
    }
  }
  return overlap;
}

/** How many of some joined spans overlap with others. */
export function countMeeting(some: readonly Span[], others: readonly Span[]): number {
  let [count, index] = [0, 0];
  for (const { from, to } of some) {
    while (index < others.length && (others[index] as Span).to <= from) index += 1;
    if (index < others.length && (others[index] as Span).from < to) count += 1;
  }
  return count;
}

/**
 * How long two lists of joined spans of whole numbers overlap if the second is moved back by each number from `-range` to `range`. By the
 * offset, the overlap of two spans is a trapezoid. So its four corners are counted, and summed up twice: the time that it takes depends on
 * the number of spans that can meet, and not on how long they are.
 */
export function overlapsByOffset(still: readonly Span[], moved: readonly Span[], range: number): Float32Array {
  const overlaps = new Float32Array(2 * range + 1);
  let [value, slope, first] = [0, 0, 0];
  const bend = (offset: number, by: number) => {
    if (offset > range) return;
    if (offset > -range) overlaps[offset + range] = (overlaps[offset + range] as number) + by;
    else {
      value += by * (-range - offset);
      slope += by;
    }
  };
  for (const { from, to } of still) {
    while (first < moved.length && (moved[first] as Span).to <= from - range) first += 1;
    for (let index = first; index < moved.length && (moved[index] as Span).from < to + range; index += 1) {
      const other = moved[index] as Span;
      bend(other.from - to, 1);
      bend(other.from - from, -1);
      bend(other.to - to, -1);
      bend(other.to - from, 1);
    }
  }
  for (let index = 0; index < overlaps.length; index += 1) {
    slope += overlaps[index] as number;
    overlaps[index] = value;
    value += slope;
  }
  return overlaps;
}
