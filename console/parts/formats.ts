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

const numbers = lazily(() => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }));
const money = lazily(() => new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }));

/** The first formatter of a page loads the data of the language, which keeps the page busy. Call this while nobody waits. */
export function loadFormats(): void {
  numbers();
}

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** How long something took, in its two largest units: 10 min 46 s, or 1 h 2 min. */
export function formatDuration(seconds: number): string {
  const { hour, minute: minuteUnit, second } = texts.common.units;
  const whole = Math.max(0, Math.round(seconds));
  if (whole === 0) return second('0');
  if (whole < 3600) return inUnits(whole, minuteUnit, second);
  return inUnits(Math.round(whole / 60), hour, minuteUnit);
}

type Unit = (count: string) => string;

/** An amount of the smaller unit, of which 60 are the larger one. */
function inUnits(amount: number, larger: Unit, smaller: Unit): string {
  const [many, rest] = [Math.floor(amount / 60), amount % 60];
  const parts = [many > 0 && larger(numbers().format(many)), rest > 0 && smaller(numbers().format(rest))];
  return parts.filter((part) => part !== false).join(' ');
}

/** A moment of a recording as h:mm:ss, or m:ss below an hour. */
export function formatPosition(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A number with at most two decimals. */
export function formatNumber(value: number): string {
  return numbers().format(value);
}

/** Dollars, to the cent. */
export function formatMoney(dollars: number): string {
  return money().format(dollars);
}

/** A part of a hundred. */
export function formatPercent(value: number): string {
  return texts.common.units.percent(numbers().format(value));
}

/** Bits a second in the unit that fits. */
export function formatBitrate(bitsPerSecond: number): string {
  const { megabits, kilobits } = texts.common.units;
  if (bitsPerSecond >= 1e6) return megabits(numbers().format(bitsPerSecond / 1e6));
  return kilobits(numbers().format(Math.round(bitsPerSecond / 1e3)));
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
