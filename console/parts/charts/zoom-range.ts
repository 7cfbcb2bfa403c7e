/** A range of times in seconds. */
export type Range = readonly [from: number, to: number];

/** The range after a step of the reader, within all that there is. */
export function zoomed([from, to]: Range, how: 'in' | 'out' | 'back' | 'forth' | 'all', all: Range): Range {
  const length = to - from;
  const middle = (from + to) / 2;
  if (how === 'in') return [middle - length / 4, middle + length / 4];
  if (how === 'back' || how === 'forth') {
    const step = how === 'back' ? Math.max(-length / 2, all[0] - from) : Math.min(length / 2, all[1] - to);
    return [from + step, to + step];
  }
  if (how === 'all' || length * 2 >= all[1] - all[0]) return all;
  const start = Math.min(Math.max(middle - length, all[0]), all[1] - length * 2);
  return [start, start + length * 2];
}

/** The range that a chart draws if it is asked for one. Without one it asks for all data: from the first to the last, or 1 000 days of a single one. */
export function drawnRange([from, to]: Range, x: readonly number[], all: Range): Range {
  const isAll = from === x[0] && to === x.at(-1);
  return isAll || to - from > all[1] - all[0] ? all : [from, to];
}

/** The range of all times, with room for the bars at both ends. `step` is the usual distance of two bars. */
export function wholeRange(x: readonly number[], step: number): Range {
  const [first = 0, last = 0] = [x[0], x.at(-1)];
  const margin = Math.max(step, (last - first) * 0.02);
  return [first - margin, last + margin];
}
