import type { SessionRecord } from '../insight-records.ts';

const hourMs = 60 * 60 * 1000;

/**
 * The hour from which an open session without a further event is closed. It is rounded up to a whole hour, so that an index by it
 * changes at most once an hour for each session. Undefined if the session is not shown, has ended, or the stage closes none.
 */
export function idleFromOf(
  { startedAt, endedAt, asOf }: Pick<SessionRecord, 'startedAt' | 'endedAt' | 'asOf'>,
  sessionIdleHours: number | undefined,
): string | undefined {
  if (sessionIdleHours === undefined || startedAt === null || endedAt !== null) return undefined;
  return wholeHour(Date.parse(asOf ?? startedAt) + sessionIdleHours * hourMs);
}

/**
 * The hour from which a session is closed once more if its end, which was sent at `now`, has not arrived: it has been without an event
 * for twice as long by then. So an end that nobody could record is not lost, and is not repeated for ever in short intervals.
 */
export function nextIdleFrom(asOf: string, now: Date): string {
  return wholeHour(now.getTime() + Math.max(hourMs, now.getTime() - Date.parse(asOf)));
}

function wholeHour(ms: number): string {
  return new Date(Math.ceil(ms / hourMs) * hourMs).toISOString();
}
