import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { nextIdleFrom } from '#shared/domain/insights/session/idle-time.ts';
import { type InferredEnd, inferredEnd } from '#shared/domain/insights/session/inferred-end.ts';
import { log, withLogContext } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { hasTimeLeft, type Timed } from '#shared/runtime/time-left.ts';
import type { IdleStore, SessionStore } from '#shared/use-cases/insights/ports.ts';

type Deps = {
  readonly idle: IdleStore;
  readonly sessions: SessionStore;
  readonly send: (end: InferredEnd) => Promise<void>;
  readonly now?: () => Date;
};

/**
 * Closes sessions that had no event for the hours of the stage, shard by shard, until none is left or its time is up. The next run
 * closes the rest. The end is sent before the session is postponed, and its id follows from the session, so a crash in between, a
 * second run and a run beside it send the same fact again. Only the record of the end takes a session off the index: while the end has
 * not arrived, it is sent again, after times that double. A failed session does not delay the others.
 */
export const createHandler =
  ({ idle, sessions, send, now = () => new Date() }: Deps) =>
  async (_event: unknown, context: Timed) => {
    const counts = { closed: 0, skipped: 0, failed: 0 };
    const close = async (key: SessionKey) => {
      try {
        const session = await sessions.find(key);
        if (!isDue(session, now())) {
          counts.skipped++;
          return;
        }
        await send(inferredEnd(session, session.asOf, 'idle'));
        await idle.postpone(session, nextIdleFrom(session.asOf, now()));
        recordMetrics({ IdleSessionsClosed: 1 });
        log.info('idle session closed', { asOf: session.asOf });
        counts.closed++;
      } catch (error) {
        log.error('idle session not closed', error);
        counts.failed++;
      }
    };
    for await (const key of idle.listDue(now())) {
      if (!hasTimeLeft(context)) break;
      const { organizationId, roomSessionId } = key;
      await withLogContext({ worker: 'close-idle-sessions', organizationId, roomSessionId }, () => close(key));
    }
    log.info('idle sessions checked', counts);
  };

/** The index lags behind the table: an event may have come, or another run may have closed the session. */
function isDue(session: SessionRecord | undefined, now: Date): session is SessionRecord & { readonly asOf: string } {
  if (!session?.idleFrom || session.asOf === null || session.endedAt !== null) return false;
  return session.idleFrom <= now.toISOString();
}
