import { dayOf } from '../days.ts';
import { formatClock, formatDay } from '../formats.ts';
import type { Zone } from '../zone.ts';

const day = 86_400;

/** The labels of an axis of times, `step` seconds apart: days, or times of day with the day wherever a new one begins. */
export function axisLabels(seconds: readonly number[], step: number, zone: Zone): string[] {
  let latest = '';
  return seconds.map((second) => {
    const instant = new Date(second * 1000).toISOString();
    if (step >= day) return formatDay(instant, zone);
    const isNewDay = dayOf(instant, zone) !== latest;
    latest = dayOf(instant, zone);
    const clock = formatClock(instant, zone);
    return isNewDay ? `${clock}\n${formatDay(instant, zone)}` : clock;
  });
}
