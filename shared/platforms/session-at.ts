import type { Connection } from '../contracts/platforms/connection.ts';
import { clockToleranceMs } from '../domain/insights/session/session-projection.ts';
import type { PlatformSession } from '../domain/platforms/platform-session.ts';
import type { HookState, Translation } from './platform.ts';

/** How far the clocks of a platform are apart. */
export type Tolerances = {
  /** What belongs to a session may be dated so much before its start. */
  readonly earlyMs?: number;
  /** What belongs to a session may be dated so much after its known end. Joins may not: they belong to the next one. */
  readonly lateMs?: number;
};

/** The session of a time. `mayBe` is one that takes the webhook if nothing else is announced while it waits. */
export type FoundSession =
  | { readonly session: PlatformSession; readonly mayBe?: never }
  | { readonly session?: undefined; readonly mayBe?: PlatformSession };

/** A room without an end for so long was over, and nobody heard of it. */
const longestOpenMs = 24 * 3_600_000;
/** Who comes so soon after the start of an open session belongs to it. */
const beginningMs = 60_000;
/** What says that nobody is left can be so much before the end of the session. */
const emptyMs = 60_000;
/** No tolerance of a platform is larger. */
const widestMs = 60_000;

/**
 * The session of a room that a time belongs to. Sessions of a room follow one another, so an open one is over when a later one has started.
 * A session that is known to have lasted until the time takes it. An open one of which that is not known takes it only at its beginning:
 * otherwise its end may be late or lost, and the time belongs to a session that nobody has announced yet. It then waits, and falls
 * to the open session when it has waited long enough (`hasWaited`), unless the platform had counted nobody left there, or the session
 * began more than a day ago. A session that starts a little after the time goes before an open one that nothing confirms.
 */
export function sessionAt(
  { sessions, hasWaited = false }: Pick<HookState, 'sessions' | 'hasWaited'>,
  time: string,
  { earlyMs = clockToleranceMs, lateMs = 0 }: Tolerances = {},
): FoundSession {
  const at = Date.parse(time);
  const ordered = sessions.toSorted((one, other) => startOf(other) - startOf(one));
  const begun = ordered.filter((session) => startOf(session) <= at);
  const [latest] = begun;
  const until = (session: PlatformSession) => surelyUntil(session, lateMs);
  const sure = begun.find((session) => at <= until(session) && (session.endedAt !== null || session === latest));
  if (sure) return { session: sure };
  const soon = ordered.findLast((session) => startOf(session) > at && startOf(session) <= at + earlyMs);
  if (soon) return { session: soon };
  if (!latest || !mayGoOn(latest, at, lateMs)) return {};
  return hasWaited ? { session: latest } : { mayBe: latest };
}

/** How a webhook waits whose session is not known. `uuidOf` makes the UUID of a session of the platform. */
export function waitingFor(
  { mayBe }: FoundSession,
  connection: Connection,
  uuidOf: (connection: Connection, sessionId: string) => string,
): Translation {
  if (!mayBe) return { events: [], waits: true };
  const { roomName, sessionId } = mayBe;
  return { events: [], waits: true, mayBe: { roomName, roomSessionId: uuidOf(connection, sessionId) } };
}

/** The latest start of a session that a time can belong to. */
export function latestStartAt(time: string, earlyMs = clockToleranceMs): string {
  return new Date(Date.parse(time) + earlyMs).toISOString();
}

/** Whether news of a session can decide where something of this time belongs. */
export function concerns(
  { startedAt, endedAt }: Pick<PlatformSession, 'startedAt' | 'endedAt'>,
  time: string,
): boolean {
  const at = Date.parse(time);
  return Date.parse(startedAt) - widestMs <= at && (endedAt === null || at <= Date.parse(endedAt) + widestMs);
}

/** Until when a session lasted for certain: its known end, or for an open one its beginning and the last count that the platform told. */
function surelyUntil(session: PlatformSession, lateMs: number): number {
  const { endedAt, lastCount } = session;
  if (endedAt !== null) return Date.parse(endedAt) + lateMs;
  const beginning = startOf(session) + beginningMs;
  if (!lastCount) return beginning;
  const countedAt = Date.parse(lastCount.at);
  return lastCount.clients === 0 ? countedAt + lateMs : Math.max(beginning, countedAt + clockToleranceMs);
}

/** Whether an open session can have lasted until a time. */
function mayGoOn(session: PlatformSession, at: number, lateMs: number): boolean {
  const { endedAt, lastCount } = session;
  if (endedAt !== null || at > startOf(session) + longestOpenMs) return false;
  if (lastCount?.clients !== 0) return true;
  return lateMs > 0 && at <= Date.parse(lastCount.at) + emptyMs;
}

function startOf({ startedAt }: PlatformSession): number {
  return Date.parse(startedAt);
}
