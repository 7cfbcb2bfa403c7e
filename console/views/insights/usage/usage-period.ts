/** A period of days of UTC (`2026-03-01`), both included. */
export type Days = { readonly from: string; readonly to: string };

const msOfDay = 86_400_000;

/** The day of UTC of a moment. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The period that an address asks for: by default the current month, up to today. */
export function periodOf(
  search: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): Days {
  const to = search.to ?? utcDay(now);
  return { from: search.from ?? `${to.slice(0, 7)}-01`, to };
}

/** The days of a month (`2026-03`), at most up to today. */
export function daysOfMonth(month: string, now: number): Days {
  const [last, today] = [lastDayOf(month), utcDay(now)];
  return { from: `${month}-01`, to: last < today ? last : today };
}

function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return utcDay(Date.UTC(year, number, 0));
}

/** The latest months, the current one first. */
export function latestMonths(now: number, count: number): string[] {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return Array.from({ length: count }, (_, back) => utcDay(Date.UTC(year, month - back, 1)).slice(0, 7));
}

/** The month of which a period is, or undefined if it is not one. */
export function monthOf(days: Days, now: number): string | undefined {
  const month = days.from.slice(0, 7);
  if (days.from !== `${month}-01`) return undefined;
  const ends = [daysOfMonth(month, now).to, lastDayOf(month)];
  return ends.includes(days.to) ? month : undefined;
}

/** Every day of a period. None if it is not a period, or longer than the service allows. */
export function everyDay({ from, to }: Days, most = 366): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.round((last - first) / msOfDay) + 1;
  if (!(count >= 1 && count <= most)) return [];
  return Array.from({ length: count }, (_, index) => utcDay(first + index * msOfDay));
}
