import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { sessionLog } from '#shared/domain/insights/session/session-log.ts';
import type { UnreadableMessage } from '#shared/runtime/errors.ts';
import { type AssertTimeLeft, noTimeLimit } from '#shared/runtime/time-left.ts';
import { appendToLog } from './append-to-log.ts';
import { countUpTo } from './count-session.ts';
import type { RecordSessionDependencies } from './session-update.ts';

/**
 * Records facts that all name one session id. When it returns, the insights agree with the session's log, and the log includes these
 * facts, except those that it returns with the reason why they are refused. It is safe to repeat and to run concurrently. If it
 * throws, what was stored remains, and the next call continues from there.
 */
export async function recordSessionEvents(
  deps: RecordSessionDependencies,
  facts: readonly SessionFact[],
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<ReadonlyMap<SessionFact, UnreadableMessage>> {
  const [first] = facts;
  if (!first) return new Map();
  const session = { organizationId: first.organizationId, roomSessionId: first.data.roomSessionId };
  const update = { ...deps, session, log: sessionLog(), assertTimeLeft };
  const { refused, firstBlock } = await appendToLog(update, facts);
  await countUpTo(update, firstBlock);
  return refused;
}
