import { UnreadableMessage } from '../errors.ts';
import type { SessionRecord } from './insight-records.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A fact is stored before its session. In between, the message may wait 7 days in the queue, 14 as a dead letter, and 7 after a redrive. */
const daysBeforeExpiry = 30;

/** For how many days facts are kept; undefined: for ever. */
export type FactRetention = { readonly factRetentionDays?: number | undefined; readonly now?: () => Date };

/** A session is recounted from all of its facts. Throws `UnreadableMessage` where some of them may have expired. */
export function refuseClosed({ closesAt }: Pick<SessionRecord, 'closesAt'>, { now = () => new Date() }: FactRetention) {
  if (closesAt === undefined || closesAt > now().toISOString()) return;
  const message = 'must be of a session whose facts are all there: of this one, some have expired or soon will';
  throw new UnreadableMessage([{ path: 'data.roomSessionId', message }]);
}

/** When the session takes events no more: well before the first of its facts expires, whatever the retention was or will be. */
export function closingOf(
  session: Pick<SessionRecord, 'closesAt'> | undefined,
  { factRetentionDays, now = () => new Date() }: FactRetention,
): Pick<SessionRecord, 'closesAt'> {
  const byRetention = factRetentionDays && now().getTime() + (factRetentionDays - daysBeforeExpiry) * dayMs;
  const times = [session?.closesAt, byRetention && new Date(byRetention).toISOString()].filter((time) => !!time);
  const closesAt = times.toSorted()[0];
  return closesAt ? { closesAt } : {};
}
