import type { TimeWindow } from './window.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const steps = [
  ...[second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second],
  ...[minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour],
  ...[day, 2 * day, 7 * day, 14 * day],
];

/** Round times on an axis, and how far they are apart. */
export type Ticks = { readonly stepMs: number; readonly times: readonly number[] };

/**
 * At most so many round times within a window. They are round for a reader whose clock is ahead of UTC by `offsetMs`: full hours of a zone that is
 * half an hour off are not those of UTC.
 */
export function ticksOf({ from, to }: TimeWindow, most: number, offsetMs: number): Ticks {
  const least = (to - from) / Math.max(1, most);
  const stepMs = steps.find((step) => step >= least) ?? Math.ceil(least / (28 * day)) * 28 * day;
  const times: number[] = [];
  for (let time = Math.ceil((from + offsetMs) / stepMs) * stepMs - offsetMs; time <= to; time += stepMs)
    times.push(time);
  return { stepMs, times };
}

/** How far the reader's clock is ahead of UTC at a time. */
export function offsetOf(time: number, zone: 'local' | 'utc'): number {
  return zone === 'utc' ? 0 : -new Date(time).getTimezoneOffset() * minute;
}

/** What a tick needs to say: seconds if ticks are closer than a minute, and the day where it begins. */
export function partsOf(time: number, stepMs: number, offsetMs: number): 'day' | 'minute' | 'second' {
  if ((time + offsetMs) % day === 0) return 'day';
  return stepMs < minute ? 'second' : 'minute';
}
