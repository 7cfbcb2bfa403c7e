import type { PlatformSession } from '../../domain/platform-session.ts';

/** A join has the clock of Prosody, as the creation of the room has. A recorder has a clock of its own. */
export const tolerances = { occupantMs: 5_000, recordingMs: 60_000 } as const;

/** The first occupant of a new room comes at most this long after its creation. */
const firstJoinMs = 60_000;

/** A room without an end for so long was probably destroyed, and nobody heard of it. */
const longestOpenMs = 24 * 3_600_000;

/**
 * The session of a room at a time: the latest that had begun and not ended. If there is none, the one that began at most a tolerance later.
 * Undefined while it is not known.
 */
export function sessionAt(
  sessions: readonly PlatformSession[],
  time: string,
  toleranceMs: number,
): PlatformSession | undefined {
  const at = Date.parse(time);
  const startOf = ({ startedAt }: PlatformSession) => Date.parse(startedAt);
  const running = sessions.filter((session) => {
    const end = session.endedAt === null ? startOf(session) + longestOpenMs : Date.parse(session.endedAt);
    return startOf(session) <= at && at <= end;
  });
  const latest = running.toSorted((one, other) => startOf(other) - startOf(one))[0];
  if (latest) return latest;
  const soon = sessions.filter((session) => startOf(session) > at && startOf(session) <= at + toleranceMs);
  return soon.toSorted((one, other) => startOf(one) - startOf(other))[0];
}

/**
 * True if an occupant who is alone in the room may be the first one of a later session of which nobody has heard yet: the known one is open,
 * and began long ago.
 */
export function mayBelongToNext({ startedAt, endedAt }: PlatformSession, joinedAt: string): boolean {
  return endedAt === null && Date.parse(joinedAt) - Date.parse(startedAt) > firstJoinMs;
}
