import * as z from 'zod/mini';
import { pageOf, queryInteger, RoomName } from '../common/fields.ts';

const count = z.int().check(z.nonnegative());

/** The most days of one list. */
export const maxUsageDays = 366;

const dayPattern = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;

/** A day in UTC. */
const Day = z
  .string()
  .check(
    z.regex(dayPattern, { error: 'must be a day, such as 2026-01-31', abort: true }),
    z.refine(isCalendarDay, 'must be a day that exists'),
  );

/** True for days that exist. `Date` alone would turn 30 February into a day in March. */
function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** What was used in a room on a day in UTC. */
export const UsageDay = z.object({
  day: z.string().check(z.regex(dayPattern)),
  roomName: z.string(),
  sessions: count,
  participantMinutes: count,
  recorderMinutes: count,
  streamerMinutes: count,
  transcriptions: count,
  transcribedSeconds: count,
});
export type UsageDay = z.infer<typeof UsageDay>;

/** Query of the usage. The first and the last day are both included. */
export const ListUsage = z.strictObject({
  from: z.optional(Day),
  to: z.optional(Day),
  roomName: z.optional(RoomName),
  cursor: z.optional(z.string()),
  limit: z._default(queryInteger(1, 100), 10),
});
export type ListUsage = z.infer<typeof ListUsage>;

/** One page of days and rooms. */
export const UsageDayPage = pageOf(UsageDay);
export type UsageDayPage = z.infer<typeof UsageDayPage>;
