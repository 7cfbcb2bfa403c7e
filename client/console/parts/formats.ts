import { texts } from '../texts/en.ts';
import type { Zone } from './zone.ts';

/** The language of the texts, in which dates and numbers are written, too. */
const language = 'en';

/** A date and a time in the reader's zone or in UTC, to the minute or to the second, or the time of day alone. */
export function formatTime(value: string, zone: Zone, precision: 'minute' | 'second' | 'clock' = 'minute'): string {
  return formatterOf(zone, precision).format(new Date(value));
}

/** A day of an instant in the reader's zone or in UTC, such as Mar 2. */
export function formatDay(value: string, zone: Zone): string {
  return formatterOf(zone, 'day').format(new Date(value));
}

/** The time of day of an instant in the reader's zone or in UTC, such as 09:30. */
export function formatClock(value: string, zone: Zone): string {
  return formatterOf(zone, 'clock').format(new Date(value));
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const minute = { year: 'numeric', month: 'short', day: 'numeric', ...clock } as const;
const formats = {
  day: { month: 'short', day: 'numeric' },
  clock,
  minute,
  second: { ...minute, second: '2-digit' },
} as const;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: Zone, format: keyof typeof formats): Intl.DateTimeFormat {
  const key = `${zone} ${format}`;
  const known = formatters.get(key);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat(language, {
    ...formats[format],
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  });
  formatters.set(key, formatter);
  return formatter;
}

/** Seconds as h:mm:ss, or m:ss below an hour. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

/** A number with at most two decimals, or a dash if it is not known. */
export function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? texts.common.none : numbers.format(value);
}

const money = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });

/** Dollars, to the cent. */
export function formatMoney(dollars: number): string {
  return money.format(dollars);
}

/** Bits a second in the unit that fits. */
export function formatBitrate(bitsPerSecond: number | null): string {
  if (bitsPerSecond === null) return texts.common.none;
  if (bitsPerSecond >= 1e6) return `${numbers.format(bitsPerSecond / 1e6)} Mbit/s`;
  return `${numbers.format(Math.round(bitsPerSecond / 1e3))} kbit/s`;
}

/** A time of day, without its date, or the date alone. */
export function formatPart(time: number, zone: Zone, part: 'day' | 'minute' | 'second'): string {
  return partFormatterOf(zone, part).format(time);
}

const partOptions = {
  day: { month: 'short', day: 'numeric' },
  minute: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

function partFormatterOf(zone: Zone, part: keyof typeof partOptions): Intl.DateTimeFormat {
  const key = `${zone} part ${part}`;
  const known = formatters.get(key);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat(language, {
    ...partOptions[part],
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  });
  formatters.set(key, formatter);
  return formatter;
}
