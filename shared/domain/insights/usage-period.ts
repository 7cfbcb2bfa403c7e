import { type ListUsage, maxUsageDays } from '#shared/contracts/insights/usage-days.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { dayOf } from './usage-day.ts';

/** The first and the last day of a list, both included, in UTC. */
export type UsagePeriod = { readonly from: string; readonly to: string };

const dayMs = 24 * 60 * 60 * 1000;

/** The period of a list: until today, from the first day of the month in which it ends. Throws `InvalidRequest` if it is backwards or too long. */
export function usagePeriod(query: Pick<ListUsage, 'from' | 'to'>, now: Date): UsagePeriod {
  const { to = dayOf(now.toISOString()) } = query;
  const { from = `${to.slice(0, -2)}01` } = query;
  if (from > to) throw new InvalidRequest([{ path: 'from', message: `must not be after to, which is ${to}` }]);
  if (Date.parse(to) - Date.parse(from) >= maxUsageDays * dayMs)
    throw new InvalidRequest([
      { path: 'from', message: `must be at most ${maxUsageDays - 1} days before to, which is ${to}` },
    ]);
  return { from, to };
}

/** The days of a period, in their order. */
export function daysOf({ from, to }: UsagePeriod): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = nextDay(day)) days.push(day);
  return days;
}

function nextDay(day: string): string {
  return dayOf(new Date(Date.parse(day) + dayMs).toISOString());
}
