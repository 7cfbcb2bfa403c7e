import type { Zone } from './zone.ts';

const two = (number: number) => String(number).padStart(2, '0');

/** The instant at which a day (`2026-03-01`) begins in the zone, as the API takes it. Undefined if it is not a day. */
export function startOfDay(day: string, zone: Zone): string | undefined {
  return instantOf(day, 0, zone);
}

/** The instant at which a day has ended in the zone, which is the beginning of the next one. Undefined if it is not a day. */
export function endOfDay(day: string, zone: Zone): string | undefined {
  return instantOf(day, 1, zone);
}

function instantOf(day: string, daysLater: number, zone: Zone): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const time =
    zone === 'utc' ? Date.UTC(year, month - 1, date + daysLater) : +new Date(year, month - 1, date + daysLater);
  return new Date(time).toISOString();
}

/** The day of an instant in the zone, or an empty text if it is not an instant. */
export function dayOf(instant: string | undefined, zone: Zone): string {
  return minuteOf(instant, zone).slice(0, 10);
}

/** The last day before an instant in the zone: the day up to which a period goes that ends there. */
export function lastDayBefore(instant: string | undefined, zone: Zone): string {
  const time = Date.parse(instant ?? '');
  return Number.isNaN(time) ? '' : dayOf(new Date(time - 1).toISOString(), zone);
}

/** An instant to the minute in the zone, as fields of the browser have it (`2026-03-01T09:30`), or an empty text. */
export function minuteOf(instant: string | undefined, zone: Zone): string {
  const at = new Date(instant ?? '');
  if (Number.isNaN(+at)) return '';
  if (zone === 'utc') return at.toISOString().slice(0, 16);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The instant of a minute in the zone, as the API takes it. Undefined if it is not a minute. */
export function instantOfMinute(minute: string, zone: Zone): string | undefined {
  const at = new Date(zone === 'utc' ? `${minute}Z` : minute);
  return Number.isNaN(+at) ? undefined : at.toISOString();
}
