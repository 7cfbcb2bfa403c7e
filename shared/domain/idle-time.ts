import type { SessionRecord } from './insight-records.ts';

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
  const dueMs = Date.parse(asOf ?? startedAt) + sessionIdleHours * hourMs;
  return new Date(Math.ceil(dueMs / hourMs) * hourMs).toISOString();
}
