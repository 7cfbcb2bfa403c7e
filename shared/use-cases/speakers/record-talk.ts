import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { changedTalk, type Measured } from '#shared/domain/insights/talk-changes.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';
import { type AssertTimeLeft, noTimeLimit } from '#shared/runtime/time-left.ts';
import { type Attempt, untilCommitted } from '../common/until-committed.ts';
import { appendBlock } from '../insights/append-to-log.ts';
import { countUpTo } from '../insights/count-session.ts';
import { type RecordSessionDependencies, readOn } from '../insights/session-update.ts';

/**
 * Measures for how long people spoke in a session, and adds what has changed to the session's log and figures. `measure` is called after
 * the log was read and before it grows, so of two workers the later one has measured later. It is safe to repeat and to run
 * concurrently. It does nothing if there is nothing to measure (yet), or if the session is closed.
 */
export async function recordTalk(
  deps: RecordSessionDependencies,
  session: SessionId,
  measure: () => Promise<Measured | undefined>,
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const { now = () => new Date() } = deps;
  const update = { ...deps, session, log: sessionLog(), assertTimeLeft };
  let firstBlock: number | undefined;
  const attempt = async (): Promise<Attempt> => {
    await readOn(update);
    const measured = await measure();
    if (!measured) return 'done';
    const changed = changedTalk(session, update.log.talk, measured, now().toISOString());
    const roomNames = measured.of.source === 'transcript' ? [measured.of.roomName] : [];
    const appended = await appendBlock(update, update.log.selectTalk(changed), roomNames);
    if (appended instanceof UnreadableMessage) return 'done';
    firstBlock ??= appended.number;
    return appended.attempt;
  };
  await untilCommitted(attempt, update);
  await countUpTo(update, firstBlock);
}
