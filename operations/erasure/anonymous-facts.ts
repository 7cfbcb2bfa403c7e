import { randomUUID } from 'node:crypto';
import {
  type ClientEvent,
  isClientEvent,
  isSessionEvent,
  type SessionEvent,
} from '#shared/contracts/insights/session-events.ts';
import { asNonParticipant, kindOf } from '#shared/domain/insights/connection-kind.ts';
import { erasedPrefix, type Visitor, visitorOf, visitorsOf } from '#shared/domain/insights/participant-record.ts';
import type { SessionBlock } from '#shared/domain/insights/session/session-log.ts';
import { compare } from '#shared/domain/insights/session/session-projection.ts';
import { isTalkFact, type StoredFact } from '#shared/domain/insights/talk-facts.ts';

/** A visitor whom a room of the session has counted. */
export type Visit = { readonly roomName: string; readonly visitor: Visitor };

/** The ids that replace those of a person. An id that is missing stays as it is. */
type NewIds = Readonly<Record<'participants' | 'events' | 'visitors' | 'connections', ReadonlyMap<string, string>>>;

/**
 * Returns the blocks with facts of these participants, where anonymous facts replace them that count the same: the times, kinds of
 * connection and ratings stay, and so does which facts are of one participant, of one visitor, or taken back. The last blocks
 * have the external ids, by which the others are found.
 */
export function anonymousBlocks(blocks: readonly SessionBlock[], participantIds: ReadonlySet<string>): SessionBlock[] {
  const { hers, others } = factsOf(blocks, participantIds);
  const kept = staying(others);
  const ids: NewIds = {
    participants: new Map([...participantIds].map((id) => [id, `${erasedPrefix}${randomUUID()}`])),
    events: newIds(hers.map(({ id }) => id)),
    connections: newIds(hers.flatMap((event) => connectionIdOf(event) ?? [])),
    visitors: newIds(hers.flatMap(visitorIdsOf).filter((id) => !kept.has(id))),
  };
  const idsOfOthers = new Set(others.map(({ id }) => id));
  const replace = (fact: StoredFact): StoredFact[] => {
    const replaced = anonymous(fact, ids);
    // A retraction that also takes back events of others stays beside its copy.
    const stays = replaced !== fact && fact.type === 'fact.retracted' && idsOfOthers.has(fact.data.eventId);
    return stays ? [fact, replaced] : [replaced];
  };
  const withExternalId = new Set<StoredFact>(
    hers.filter((event) => event.type === 'room.client.joined' && event.data.externalId !== undefined),
  );
  return blocks
    .map((block) => ({ block, facts: block.facts.flatMap(replace) }))
    .filter(({ block, facts }) => facts.some((fact, index) => fact !== block.facts[index]))
    .map(({ block, facts }) => ({ ...block, facts, leads: block.facts.some((fact) => withExternalId.has(fact)) }))
    .toSorted((one, other) => Number(one.leads) - Number(other.leads))
    .map(({ leads: _, ...block }) => block);
}

/** Returns as whom the participants were counted in each room, without the visitors who remain in the session. */
export function visitsOf(blocks: readonly SessionBlock[], participantIds: ReadonlySet<string>): Visit[] {
  const { hers, others } = factsOf(blocks, participantIds);
  const kept = staying(others);
  return hers
    .filter((event) => event.type === 'room.client.joined')
    .map((joined) => ({ roomName: joined.data.roomName, visitor: visitorOf(joined) }))
    .filter((visit): visit is Visit => visit.visitor !== null && !kept.has(visit.visitor.visitorId));
}

/** Events of the participants, and those of everyone else who was not erased. */
function factsOf(blocks: readonly SessionBlock[], participantIds: ReadonlySet<string>) {
  const events = blocks.flatMap(({ facts }) => facts).filter(isSessionEvent);
  const isHers = (event: SessionEvent) => isClientEvent(event) && participantIds.has(event.data.participantId);
  return {
    hers: events.filter(isClientEvent).filter(isHers),
    others: events.filter((event) => !isHers(event) && !isErased(event)),
  };
}

function isErased(event: SessionEvent): boolean {
  return isClientEvent(event) && event.data.participantId.startsWith(erasedPrefix);
}

/** Ids of the visitors who stay. The person can be one of them, who counts once, so these ids stay. */
function staying(others: readonly SessionEvent[]): Set<string> {
  return new Set(visitorsOf(others).map(({ visitorId }) => visitorId));
}

function connectionIdOf(event: ClientEvent): string | undefined {
  return event.type === 'room.client.joined' || event.type === 'room.client.left' ? event.data.connectionId : undefined;
}

function visitorIdsOf(event: ClientEvent): string[] {
  if (event.type === 'room.client.updated') return event.data.deviceId === undefined ? [] : [event.data.deviceId];
  if (event.type !== 'room.client.joined') return [];
  const { deviceId, userId } = event.data;
  return userId === undefined ? [deviceId] : [deviceId, userId];
}

/** Random ids in the order of the old ones, because of events with the same time, the one with the first id counts first. */
function newIds(ids: readonly string[]): Map<string, string> {
  const old = [...new Set(ids)].toSorted(compare);
  const random = old.map(() => randomUUID()).toSorted(compare);
  return new Map(old.map((id, index) => [id, random[index] ?? id]));
}

/** Returns the same fact if it has nothing of the person. */
function anonymous(fact: StoredFact, { participants, events, visitors, connections }: NewIds): StoredFact {
  if (isTalkFact(fact)) {
    const participantId = participants.get(fact.data.participantId);
    return participantId === undefined ? fact : { ...fact, data: { ...fact.data, participantId } };
  }
  if (fact.type === 'fact.retracted') {
    const eventId = events.get(fact.data.eventId);
    return eventId === undefined ? fact : { ...fact, id: randomUUID(), data: { ...fact.data, eventId } };
  }
  if (!isClientEvent(fact)) return fact;
  const isHers = participants.has(fact.data.participantId);
  // Someone who was erased earlier can be the same visitor.
  if (!isHers && !(isErased(fact) && visitorIdsOf(fact).some((id) => visitors.has(id)))) return fact;
  const { organizationId, createdAt } = fact;
  const { roomName, roomSessionId, participantId } = fact.data;
  const { inferred, reason } = fact;
  const envelope = { id: (isHers && events.get(fact.id)) || fact.id, organizationId, createdAt, inferred, reason };
  const client = { roomName, roomSessionId, participantId: participants.get(participantId) ?? participantId };
  const oldConnectionId = connectionIdOf(fact);
  const connectionId = oldConnectionId && (connections.get(oldConnectionId) ?? oldConnectionId);
  if (fact.type === 'room.client.left')
    return { ...envelope, type: fact.type, data: { ...client, numClients: fact.data.numClients, connectionId } };
  if (fact.type === 'room.client.rated') {
    const { rating } = fact.data;
    return { ...envelope, type: fact.type, data: { ...client, rating, tags: undefined, comment: undefined } };
  }
  if (fact.type === 'room.client.updated') {
    const { deviceId, spokenSeconds } = fact.data;
    return {
      ...envelope,
      type: fact.type,
      data: { ...client, deviceId: deviceId && (visitors.get(deviceId) ?? deviceId), spokenSeconds },
    };
  }
  const { deviceId, userId } = fact.data;
  const kind = kindOf(fact);
  const visitor = {
    deviceId: visitors.get(deviceId) ?? deviceId,
    userId: userId === undefined ? undefined : (visitors.get(userId) ?? userId),
    roleName: kind,
  };
  const { numClients, exclusive } = fact.data;
  const removed = { displayName: '', externalId: undefined, userAgent: undefined };
  const data = { ...client, ...visitor, ...removed, numClients, connectionId, exclusive };
  const joined = { ...envelope, type: fact.type, data };
  return kind === 'other' ? asNonParticipant(joined) : joined;
}
