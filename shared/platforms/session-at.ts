import type { PlatformSession } from '../domain/platform-session.ts';
import { clockToleranceMs } from '../domain/session-projection.ts';

/**
 * The session of a room that a time belongs to: of those that had started, give or take the clock tolerance, and not ended, the one that
 * started last. Undefined if none is known. What comes with an end may come up to `lateMs` after it. A join may not: after an end, it
 * belongs to the next session.
 */
export function sessionAt(sessions: readonly PlatformSession[], time: string, lateMs = 0): PlatformSession | undefined {
  const at = Date.parse(time);
  return sessions
    .filter(({ startedAt, endedAt }) => {
      const hasStarted = Date.parse(startedAt) - clockToleranceMs <= at;
      return hasStarted && (endedAt === null || at <= Date.parse(endedAt) + lateMs);
    })
    .reduce<PlatformSession | undefined>(
      (last, one) => (last && last.startedAt >= one.startedAt ? last : one),
      undefined,
    );
}

/** The latest start of a session that a time can belong to, as `sessionAt` compares them. */
export function latestStartAt(time: string, toleranceMs = clockToleranceMs): string {
  return new Date(Date.parse(time) + toleranceMs).toISOString();
}
