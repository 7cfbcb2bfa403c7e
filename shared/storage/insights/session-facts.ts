import {
  type ClientEvent,
  SessionEvent,
  type SessionFact,
  type SessionRetraction,
  StoredFact,
} from '../../contracts/session-events.ts';
import { countedOf, countedOfSession, type Exceeded, limits } from '../../domain/session-limits.ts';
import type { KeyRange } from '../keys.ts';
import type { FactQueries } from './fact-queries.ts';
import {
  allClientFacts,
  clientConnections,
  clientFacts,
  clientRatings,
  eventKey,
  organizationSession,
  ownStarts,
  type SessionId,
  sessionEnds,
  sessionFacts,
  sessionRetractions,
} from './keys.ts';

/** A participant with more facts than this is read alone. */
const factsInGroup = 250;

/** Facts of a session and of some of its participants. */
export type FactsRead = {
  readonly facts: readonly SessionFact[];
  /** Participants that were left out, because they have so many facts that they must be read alone. */
  readonly large: readonly string[];
  readonly exceeded: readonly Exceeded[];
};

/** Parses a stored fact of a session. */
export function toFact(item: Record<string, unknown>): SessionFact {
  return StoredFact.parse(item) as SessionFact; // a retraction in this partition names the session
}

const toClientEvent = (item: Record<string, unknown>) => SessionEvent.parse(item) as ClientEvent; // only such events have the key

/** Reads the facts of sessions: no more of them at a time than a worker can hold. */
export function sessionFactReads({ page, each, upTo }: FactQueries) {
  const queryOf = (session: SessionId, range: KeyRange) => ({
    ...{ owner: organizationSession(session), range, consistent: true },
  });

  const collect = async <Parsed>(items: AsyncIterable<Record<string, unknown>>, parse: (item: never) => Parsed) => {
    const all: Parsed[] = [];
    for await (const item of items) all.push(parse(item as never));
    return all;
  };

  const ofSession = async (session: SessionId): Promise<SessionFact[]> => {
    const { items, next } = await page(queryOf(session, sessionFacts));
    if (!next) return countedOfSession(items.map(toFact));
    const [lastEnds, retractions, firstStarts] = await Promise.all([
      upTo({ ...queryOf(session, sessionEnds), isBackward: true }, limits.ends, toFact),
      collect(each(queryOf(session, sessionRetractions)), toFact),
      upTo(queryOf(session, ownStarts), limits.starts, toFact),
    ]);
    return [...lastEnds, ...retractions, ...firstStarts];
  };

  /** Reads one more event than counts of each kind, so that it shows whether a limit is exceeded. */
  const ofParticipant = async (session: SessionId, participantId: string, isAlone: boolean) => {
    const first = await page(queryOf(session, clientFacts(participantId)), isAlone ? {} : { limit: factsInGroup });
    if (first.next && !isAlone) return 'large';
    const events = first.items.map(toClientEvent);
    if (!first.next) return countedOf(participantId, events);
    const ratings = events.filter(({ type }) => type === 'room.client.rated');
    const connections = events.slice(0, events.length - ratings.length);
    const rest = (range: KeyRange, limit: number, read: readonly ClientEvent[], next?: Record<string, unknown>) =>
      read.length > limit ? read : upTo(queryOf(session, range), limit + 1, toClientEvent, { read, next });
    const areConnectionsRead = ratings.length > 0;
    return countedOf(participantId, [
      ...(areConnectionsRead
        ? connections
        : await rest(clientConnections(participantId), limits.connections, connections, first.next)),
      ...(await rest(
        clientRatings(participantId),
        limits.ratings,
        ratings,
        areConnectionsRead ? first.next : undefined,
      )),
    ]);
  };

  return {
    /**
     * Reads, strongly consistent, the facts that count of a session and of some participants, in any room. Of several
     * participants, those with many facts are left out. One alone is always read.
     */
    async factsOf(session: SessionId, participantIds: readonly string[]): Promise<FactsRead> {
      const isAlone = participantIds.length === 1;
      const [own, ...others] = await Promise.all([
        ofSession(session),
        ...participantIds.map((id) => ofParticipant(session, id, isAlone)),
      ]);
      const read = others.filter((each) => each !== 'large');
      return {
        facts: [...own, ...read.flatMap(({ events }) => events)],
        large: participantIds.filter((_, index) => others[index] === 'large'),
        exceeded: read.flatMap(({ exceeded }) => exceeded),
      };
    },

    /** Reads, strongly consistent, all events of a session in any room, also those that do not count. */
    async *allEventsOf(session: SessionId): AsyncGenerator<SessionEvent> {
      for (const range of [sessionEnds, ownStarts, allClientFacts])
        for await (const item of each(queryOf(session, range))) yield SessionEvent.parse(item);
    },

    /** Counts, strongly consistent, the retractions of the session that are not among these. */
    async countOtherRetractions(session: SessionId, retractions: readonly SessionRetraction[]): Promise<number> {
      const these = new Set(retractions.map((retraction) => eventKey(retraction).factKey));
      let others = 0;
      for await (const { factKey } of each(queryOf(session, sessionRetractions)))
        if (!these.has(String(factKey))) others += 1;
      return others;
    },
  };
}
