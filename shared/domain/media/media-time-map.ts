import type { MediaSpan } from './media-plan.ts';

/** A stretch of a prepared piece: from `outStart` on, `length` seconds of it are the original from `inStart` on. */
type TimeMapEntry = readonly [outStart: number, inStart: number, length: number];

/** Where each second of a prepared piece lies in the original. Entries are in order and do not overlap. */
export type TimeMap = readonly TimeMapEntry[];

/** Timestamps of containers are rounded to a millisecond. A smaller difference is no jump. */
const toleranceSeconds = 0.01;

/**
 * Maps a word of a prepared piece to the original. It lies in the stretch that has its middle: an engine can place its start or end just
 * beyond a place where silence was left out, which may be minutes away in the original. A time between or outside of the entries maps to
 * the nearest one.
 */
export function originalSpan(map: TimeMap, { from, to }: MediaSpan): MediaSpan {
  const entry = entryAt(map, (from + to) / 2);
  return entry ? { from: within(entry, from), to: within(entry, to) } : { from, to };
}

/** The last entry that begins at a time or before it, or else the first one. */
function entryAt(map: TimeMap, outTime: number): TimeMapEntry | undefined {
  let low = 0;
  let high = map.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((map[middle]?.[0] ?? 0) <= outTime) low = middle;
    else high = middle - 1;
  }
  return map[low];
}

function within([outStart, inStart, length]: TimeMapEntry, outTime: number): number {
  return inStart + Math.min(Math.max(outTime - outStart, 0), length);
}

/** The seconds of a prepared piece: what Transcribe bills. */
export function submittedSeconds(map: TimeMap): number {
  const last = map.at(-1);
  return last ? last[0] + last[2] : 0;
}

/** Builds the map of a piece from the packets that are written to it, in order. `outStart` is below 0 if a decoder skips the beginning. */
export function timeMapBuilder(outStart = 0) {
  const entries: [number, number, number][] = [];
  let outTime = outStart;
  return {
    /** Adds a packet, and returns its time in the piece. */
    add(at: number, seconds: number): number {
      const start = outTime;
      const last = entries.at(-1);
      if (last && Math.abs(last[1] + (start - last[0]) - at) <= toleranceSeconds) last[2] = start + seconds - last[0];
      else entries.push([start, at, seconds]);
      outTime += seconds;
      return start;
    },
    entries: entries as TimeMap,
  };
}
