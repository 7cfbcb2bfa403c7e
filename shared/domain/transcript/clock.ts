/** `HH:MM:SS`. A started second does not count. */
export function clock(seconds: number): string {
  return timestamp(milliseconds(Math.floor(seconds)), '.').slice(0, -4);
}

/** A time in whole milliseconds, as subtitles have it. */
export function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** `HH:MM:SS.mmm`, with the separator of the format before the milliseconds. */
export function timestamp(ms: number, separator: '.' | ','): string {
  const part = (value: number, width: number) => String(Math.floor(value)).padStart(width, '0');
  const time = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) => part(value, 2)).join(':');
  return `${time}${separator}${part(ms % 1000, 3)}`;
}
