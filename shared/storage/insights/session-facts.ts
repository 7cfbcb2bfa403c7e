import {
  type ClientEvent,
  SessionEvent,
  type SessionFact,
  type SessionRetraction,
  StoredFact,
} from '../../contracts/session-events.ts';
import type { SessionKey } from '../../domain/participant-record.ts';
import { countedOf, type Exceeded, limits } from '../../domain/session-limits.ts';
import { type RoomFact, retractedEventIds } from '../../domain/session-projection.ts';
import type { KeyRange } from '../keys.ts';
import type { FactQueries, FactQuery } from './fact-queries.ts';
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
  readonly facts: readonly RoomFact[];
  /** Participants that were left out, because they have so many facts that they must be read alone. */
  readonly large: readonly string[];
  readonly exceeded: readonly Exceeded[];
};

/** Parses a stored fact of a session. */
export function toFact(item: Record<string, unknown>): SessionFact {
  return StoredFact.parse(item) as SessionFact; // a retraction in this partition names the session
}

/** Parses a participant's event without the browser, which no total needs and which can be most of a join. */
function toClientEvent(item: Record<string, unknown>): ClientEvent {
  const event = SessionEvent.parse(item) as ClientEvent; // only such events have the key
  if (event.type !== 'room.client.joined') return event;
  return { ...event, data: { ...event.data, userAgent: undefined } };
}

/** Parses a session's own fact, of a retraction only what is needed. Returns nothing for a fact of another room. */
function toOwnFact(item: Record<string, unknown>, { roomName }: SessionKey): RoomFact[] {
  const fact = toFact(item);
  if ((fact.data.roomName ?? roomName) !== roomName) return [];
  return [fact.type === 'fact.retracted' ? { type: fact.type, data: { eventId: fact.data.eventId } } : fact];
}

/** Reads the facts of sessions: no more of them at a time than a worker can hold. */
export function sessionFactReads({ page, each, upTo }: FactQueries) {
  const queryOf = (session: SessionId, range: KeyRange) => ({
    ...{ owner: organizationSession(session), range, consistent: true },
  });

  const firstKept = async (session: SessionKey, query: FactQuery, retractedIds: ReadonlySet<string>) => {
    for await (const item of each(query)) {
      const event = SessionEvent.parse(item);
      if (event.data.roomName === session.roomName && !retractedIds.has(event.id)) return [event];
    }
    return [];
  };

  /** If the facts are more than a page: all retractions, and the last end and the first start that they do not take back. */
  const ofSession = async (session: SessionKey): Promise<RoomFact[]> => {
    const { items, next } = await page(queryOf(session, sessionFacts));
    if (!next) return items.flatMap((item) => toOwnFact(item, session));
    const retractions: RoomFact[] = [];
    for await (const item of each(queryOf(session, sessionRetractions))) retractions.push(...toOwnFact(item, session));
    const retractedIds = new Set(retractedEventIds(retractions));
    const [lastEnd, firstStart] = await Promise.all([
      firstKept(session, { ...queryOf(session, sessionEnds), isBackward: true }, retractedIds),
      firstKept(session, queryOf(session, ownStarts), retractedIds),
    ]);
    return [...lastEnd, ...retractions, ...firstStart];
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
     * Reads, strongly consistent, the facts that count of a session and of some participants. Of several participants, those
     * with many facts are left out. One alone is always read.
     */
    async factsOf(session: SessionKey, participantIds: readonly string[]): Promise<FactsRead> {
      const isAlone = participantIds.length === 1;
      const [own, ...others] = await Promise.all([
        ofSession(session),
        ...participantIds.map((id) => ofParticipant(session, id, isAlone)),
      ]);
      const read = others.filter((each) => each !== 'large');
      return {
        facts: [
          ...own,
          ...read.flatMap(({ events }) => events.filter(({ data }) => data.roomName === session.roomName)),
        ],
        large: participantIds.filter((_, index) => others[index] === 'large'),
        exceeded: read.flatMap(({ exceeded }) => exceeded),
      };
    },

    /** Reads, strongly consistent, all events of a session in any room, also those that do not count. */
    async *allEventsOf(session: SessionId): AsyncGenerator<SessionEvent> {
      for (const range of [sessionEnds, ownStarts, allClientFacts])
        for await (const item of each(queryOf(session, range))) yield SessionEvent.parse(item);
    },

    /** Counts, strongly consistent, the retractions of the session, and which of these are not stored yet. */
    async countRetractions(
      session: SessionId,
      retractions: readonly SessionRetraction[],
    ): Promise<{ stored: number; missing: number }> {
      const missing = new Set(retractions.map((retraction) => eventKey(retraction).factKey));
      let stored = 0;
      for await (const { factKey } of each(queryOf(session, sessionRetractions))) {
        stored += 1;
        missing.delete(String(factKey));
      }
      return { stored, missing: missing.size };
    },
  };
}
