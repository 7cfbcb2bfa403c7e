import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { asStored } from '#shared/domain/insights/connection-kind.ts';
import { refusalOfClosed } from '#shared/domain/insights/session/session-closing.ts';
import { blocksOf } from '#shared/domain/insights/session/session-log.ts';
import type { StoredFact } from '#shared/domain/insights/talk-facts.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';
import { type Attempt, untilCommitted } from '../common/until-committed.ts';
import { readOn, readSessions, type SessionUpdate } from './session-update.ts';

/** What became of the facts: the refused ones, and the number of the first block that was stored. Undefined: all facts were known or refused. */
export type Appended = {
  readonly refused: ReadonlyMap<SessionFact, UnreadableMessage>;
  readonly firstBlock: number | undefined;
};

/**
 * Stores the facts that the session's log does not contain yet, unless they are refused. Must come first: a stored fact is not
 * lost, because whoever counts the session later counts all blocks of its log.
 */
export async function appendToLog(update: SessionUpdate, facts: readonly SessionFact[]): Promise<Appended> {
  const { log, nonParticipantRoles = [] } = update;
  const refused = new Map<SessionFact, UnreadableMessage>();
  let firstBlock: number | undefined;
  const attempt = async (): Promise<Attempt> => {
    await readOn(update);
    const selected = log.select(facts.filter((fact) => !refused.has(fact)));
    for (const [fact, reason] of selected.refused) refused.set(fact, reason);
    const stored = selected.accepted.map((fact) => asStored(fact, nonParticipantRoles));
    const named = facts.flatMap(({ data }) => data.roomName ?? []);
    const appended = await appendBlock(update, stored, named);
    if (appended instanceof UnreadableMessage) {
      for (const fact of selected.accepted) refused.set(fact, appended);
      return 'done';
    }
    firstBlock ??= appended.number;
    return appended.attempt;
  };
  await untilCommitted(attempt, update);
  return { refused, firstBlock };
}

/** The number of the block that was stored, if one was, and how to go on. */
type AppendedBlock = { readonly attempt: Attempt; readonly number?: number };

/** Stores as many of these new facts as fit into the next block of the log as it was read, or returns why their session is closed. */
export async function appendBlock(
  update: SessionUpdate,
  stored: readonly StoredFact[],
  roomNames: readonly string[],
): Promise<AppendedBlock | UnreadableMessage> {
  const { facts: store, session, log, now = () => new Date() } = update;
  const [next, ...others] = blocksOf(stored);
  if (!next) return { attempt: 'done' };
  const sessions = await readSessions(update, roomNames);
  const closed = refusalOfClosed(log.isComplete ? sessions : [{ closesAt: '' }], now()); // facts have expired
  if (closed) return closed;
  // Another worker has counted more than was read. If that persists, blocks are missing, and a new one would never be counted.
  if (sessions.some(({ version }) => version > log.version)) return { attempt: 'lost-race' };
  const block = await store.append(session, log.version + 1, next);
  if (!block) return { attempt: 'lost-race' };
  log.append(block);
  return { attempt: others.length > 0 ? 'more-to-do' : 'done', number: block.number };
}
