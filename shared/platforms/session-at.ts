import type { PlatformSession } from '../domain/platform-session.ts';
import { clockToleranceMs } from '../domain/session-projection.ts';

/**
 * The session of a room that a time belongs to: of those that had started and not ended, give or take the clock tolerance, the one
 * that started last. Undefined if none is known.
 */
export function sessionAt(sessions: readonly PlatformSession[], time: string): PlatformSession | undefined {
  const at = Date.parse(time);
  return sessions
    .filter(({ startedAt, endedAt }) => {
      const hasStarted = Date.parse(startedAt) - clockToleranceMs <= at;
      return hasStarted && (endedAt === null || at <= Date.parse(endedAt) + clockToleranceMs);
    })
    .reduce<PlatformSession | undefined>(
      (last, one) => (last && last.startedAt >= one.startedAt ? last : one),
      undefined,
    );
}
