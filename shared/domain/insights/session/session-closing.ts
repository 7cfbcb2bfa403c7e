import { UnreadableMessage } from '#shared/runtime/errors.ts';
import type { SessionRecord } from '../insight-records.ts';

const dayMs = 24 * 60 * 60 * 1000;
/**
 * A fact is stored before its session. In between, the message may wait 14 days from its sending, also as a dead letter, and 14 more
 * after a redrive, which sends it anew.
 */
const daysBeforeExpiry = 30;

/** Returns why the sessions accept no more events if one of them is closed. Their facts expire together, and a session is counted from all of its facts. */
export function refusalOfClosed(
  sessions: readonly Pick<SessionRecord, 'closesAt'>[],
  now: Date,
): UnreadableMessage | undefined {
  if (sessions.every(({ closesAt }) => closesAt === undefined || closesAt > now.toISOString())) return undefined;
  const message =
    'must belong to a session whose facts are all stored: some facts of this session have expired or expire soon';
  return new UnreadableMessage([{ path: 'data.roomSessionId', message }]);
}

/** When the sessions with one id close, together: well before its first fact expires. A later write, or a longer retention, never moves it to a later time. */
export function closingOf(
  sessions: readonly Pick<SessionRecord, 'closesAt'>[],
  factRetentionDays: number | undefined,
  now: Date,
): Pick<SessionRecord, 'closesAt'> {
  const byRetention = factRetentionDays && now.getTime() + (factRetentionDays - daysBeforeExpiry) * dayMs;
  const times = [
    ...sessions.map((session) => session.closesAt),
    byRetention && new Date(byRetention).toISOString(),
  ].filter((time) => !!time);
  const closesAt = times.toSorted()[0];
  return closesAt ? { closesAt } : {};
}
