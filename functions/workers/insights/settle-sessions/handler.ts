import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { settledOf } from '#shared/domain/insights/session/settled-session.ts';
import { log, withLogContext } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { hasTimeLeft, type Timed } from '#shared/runtime/time-left.ts';
import type { SessionStore, SettlingStore } from '#shared/use-cases/insights/ports.ts';

type Deps = {
  readonly settling: SettlingStore;
  readonly sessions: SessionStore;
  readonly now?: () => Date;
};

/** Many sessions end at the full hour, and a run has a minute. */
const atOnce = 25;

/**
 * Tells the ends of sessions of which no more events come, and counts them in the usage of their days, until none is due or its time is
 * up. The next run tells the rest. The notice, the usage and the row that says what was told and counted are one transaction, under what
 * was read. So a crash, a second run and a run beside it tell and count nothing twice, and an end that changes meanwhile is told when it
 * is due again. A failed session does not delay the others.
 */
export const createHandler =
  ({ settling, sessions, now = () => new Date() }: Deps) =>
  async (_event: unknown, context: Timed) => {
    const counts = { told: 0, takenBack: 0, skipped: 0, failed: 0 };
    const tell = async (key: SessionKey) => {
      try {
        const session = await sessions.find(key);
        if (!session || !isDue(session, now())) {
          counts.skipped++;
          return;
        }
        const settled = settledOf(session, now());
        const isSettled = await settling.settle(session, settled);
        const done = settled.notice ? 'told' : 'takenBack';
        counts[isSettled ? done : 'skipped']++; // whoever was faster has told it, or made it due again
      } catch (error) {
        log.error('session end not told', error);
        counts.failed++;
      }
    };
    for await (const keys of groupsOf(settling.listDue(now()))) {
      if (!hasTimeLeft(context)) break;
      await Promise.all(
        keys.map((key) => {
          const { organizationId, roomSessionId } = key;
          return withLogContext({ worker: 'settle-sessions', organizationId, roomSessionId }, () => tell(key));
        }),
      );
    }
    recordMetrics({ SessionEndsTold: counts.told });
    log.info('session ends told', counts);
  };

/** The index lags behind the table: an event may have come, or another run may have told the end. */
function isDue({ settling }: SessionRecord, now: Date): boolean {
  return settling !== undefined && settling.at <= now.toISOString();
}

async function* groupsOf(keys: AsyncIterable<SessionKey>): AsyncGenerator<SessionKey[]> {
  let group: SessionKey[] = [];
  for await (const key of keys) {
    group.push(key);
    if (group.length < atOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
