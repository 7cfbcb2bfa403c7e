import { harmless } from './text.ts';

/** A time in UTC, without seconds; `-` for null. */
export function time(value: string | null): string {
  return value === null ? '-' : value.slice(0, 16).replace('T', ' ');
}

/** A duration, such as `31 s`, `4:05` or `1:02:31`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = pad(seconds % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A number or a text; `-` for null or an empty text. */
export function plain(value: string | number | null): string {
  return value === null || value === '' ? '-' : String(value);
}

/** A number with one decimal; `-` for null. */
export function rounded(value: number | null): string {
  return value === null ? '-' : value.toFixed(1);
}

/** Minutes with at most one decimal, and a whole number without it; `-` for null. */
export function minutes(value: number | null): string {
  return value === null ? '-' : value.toFixed(1).replace(/\.0$/, '');
}

/** Names and values, one pair per line. */
export function details(lines: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${harmless(value)}`).join('\n');
}
