import { isSessionRetraction, type SessionFact } from '../contracts/session-events.ts';
import type { SessionsWithId } from '../domain/participant-record.ts';
import { refuseTooManyRetractions } from '../domain/session-limits.ts';
import type { FactStore } from './ports.ts';

/**
 * Must run before the session is read: a stored event is not lost, and every worker that later updates its participant reads it.
 * Returns the events as they are stored. Throws `UnreadableMessage` if there are too many retractions and some of
 * these are new.
 */
export async function storeSessionFacts(
  facts: Pick<FactStore, 'keep' | 'countRetractions'>,
  session: SessionsWithId,
  events: readonly SessionFact[],
): Promise<SessionFact[]> {
  const retractions = events.filter(isSessionRetraction);
  if (retractions.length > 0) refuseTooManyRetractions(await facts.countRetractions(session, retractions));
  return Promise.all(events.map((event) => facts.keep(event)));
}
