import { createHash } from 'node:crypto';
import type { OrganizationId } from '../../contracts/organization.ts';
import type { RoomCreated, SessionEvent, SessionFact } from '../../contracts/session-events.ts';
import type { RoomKey } from '../../domain/insight-records.ts';
import type { SessionKey, Visitor } from '../../domain/participant-record.ts';
import { attributeNames } from '../../names.ts';
import { afterAllTimes, type KeyRange, organizationPart, organizationRoom, separator } from '../keys.ts';

/** A session's id within its organization. The room is not part of it, because samples do not name a room. */
export type SessionId = Pick<SessionKey, 'organizationId' | 'roomSessionId'>;

const key = (...parts: readonly string[]) => parts.join(separator);

/** Partition of one session's items. No room name begins like a UUID, so it never equals a room's partition. */
export function organizationSession({ organizationId, roomSessionId }: SessionId): string {
  return `${organizationId}#${roomSessionId}`;
}

/** Index partition of the participants with one external id. */
export function organizationExternalId(organizationId: OrganizationId, externalId: string): string {
  return `${organizationId}#${externalId}`;
}

/** Index partition of the participants of one session with one external id. */
export function organizationSessionExternalId(session: SessionId, externalId: string): string {
  return `${organizationSession(session)}#${externalId}`;
}

/** Key of a room. Each room is a partition of its own, so that no partition takes the writes of all rooms. */
export function roomKey({ organizationId, roomName }: RoomKey) {
  return { [attributeNames.organizationRoom]: organizationRoom(organizationId, roomName) };
}

/**
 * Index partitions of an organization's rooms. With four, an organization can make 2 000 changes a second that move a room
 * within an index, and a page takes four queries. With five, a page of ten rooms would exceed its goal of $2.80 per million.
 */
const roomShards = 4;

/** The index partitions of the rooms that lists show. */
export function organizationShards(organizationId: OrganizationId): string[] {
  return Array.from({ length: roomShards }, (_, shard) => organizationPart(organizationId, String(shard)));
}

/** The index partition of a room that lists show. A room never moves to another one. */
export function organizationShard({ organizationId, roomName }: RoomKey): string {
  const [byte = 0] = createHash('sha256').update(roomName).digest();
  return organizationPart(organizationId, String(byte % roomShards));
}

/** The index partition of the rooms that no list shows, because all of their events were taken back. */
export function hiddenRooms(organizationId: OrganizationId): string {
  return organizationPart(organizationId, 'hidden');
}

/** Key of a session. */
export function sessionKey({ organizationId, roomName, roomSessionId }: SessionKey) {
  return {
    [attributeNames.organizationRoom]: organizationRoom(organizationId, roomName),
    [attributeNames.roomSessionId]: roomSessionId,
  };
}

/** Key of a participant. It includes the room's name, because the same session id in two rooms is two sessions. */
export function participantKey(session: SessionKey, participantId: string) {
  return {
    [attributeNames.organizationSession]: organizationSession(session),
    [attributeNames.participantKey]: key(participantId, session.roomName),
  };
}

/** Orders participants with the same time, within a session and across sessions. */
export function participantTieBreak({ roomName, roomSessionId }: SessionKey, participantId: string): string {
  return key(roomSessionId, participantId, roomName);
}

const fact = (factOwner: string, ...parts: readonly string[]) => ({
  [attributeNames.factOwner]: factOwner,
  [attributeNames.factKey]: key(...parts),
});

/**
 * The range of the keys that continue with a time after `parts`: all of them, or those from `from` on and before `to`. It is
 * a range because `begins_with` in the local runner's DynamoDB (Dynoxide 1.2.1) ignores everything after a NUL.
 */
function timesAfter(parts: readonly string[], from = '', to = afterAllTimes): KeyRange {
  return [key(...parts, from), key(...parts, to)];
}

/** The range of all keys that begin with `parts`. No part contains a character below U+0001, so the next one is beyond. */
function allAfter(...parts: readonly string[]): KeyRange {
  return [key(...parts, ''), `${key(...parts)}\u0001`];
}

/**
 * Key of a fact: an event by time and id, under its participant or under the session itself, or a retraction by what it takes
 * back, where no name stands for every room. A participant's ratings follow the joins and leaves, because their word sorts after every time.
 */
export function eventKey(event: SessionFact) {
  const { type, createdAt, id, organizationId, data } = event;
  const owner = organizationSession({ organizationId, roomSessionId: data.roomSessionId });
  if (type === 'fact.retracted') return fact(owner, 'session', 'retracted', data.eventId, data.roomName ?? '');
  return fact(owner, ...placeOf(event), createdAt, id);
}

function placeOf({ type, data }: SessionEvent): string[] {
  if (type === 'room.session.started') return ['session', 'started'];
  if (type === 'room.session.ended') return ['session', 'ended'];
  return ['client', data.participantId, ...(type === 'room.client.rated' ? ['rated'] : [])];
}

/** The range of a session's own facts: its ends, the retractions of events, and its starts. */
export const sessionFacts = allAfter('session');

/** The range of a session's ends. */
export const sessionEnds = timesAfter(['session', 'ended']);

/** The range of a session's retractions. */
export const sessionRetractions = allAfter('session', 'retracted');

/** The range of a session's own starts. */
export const ownStarts = timesAfter(['session', 'started']);

/** The range of the events of all participants. */
export const allClientFacts = allAfter('client');

/** Key of a creation of a room, by time and id. */
export function creationKey({ id, organizationId, createdAt, data }: RoomCreated) {
  return fact(organizationRoom(organizationId, data.roomName), 'created', createdAt, id);
}

/** The range of the creations of a room. */
export const creations = allAfter('created');

/** Key of the retraction of a room's creations with this id. */
export function creationRetractionKey({ organizationId, roomName }: RoomKey, eventId: string) {
  return fact(organizationRoom(organizationId, roomName), 'retracted', eventId);
}

/** The range of the retractions of a room's creations. */
export const creationRetractions = allAfter('retracted');

/** The range of one participant's events: the joins and leaves, then the ratings. */
export function clientFacts(participantId: string): KeyRange {
  return allAfter('client', participantId);
}

/** The range of one participant's joins and leaves. */
export function clientConnections(participantId: string): KeyRange {
  return timesAfter(['client', participantId]);
}

/** The range of one participant's ratings. */
export function clientRatings(participantId: string): KeyRange {
  return timesAfter(['client', participantId, 'rated']);
}

/** Key of a block of samples, by the time of its first sample. */
export function sampleBlockKey(session: SessionId, participantId: string, startedAt: string, eventId: string) {
  return fact(organizationSession(session), 'samples', participantId, startedAt, eventId);
}

/** The range of one participant's blocks that begin from `from` on and before `to`. */
export function sampleBlocks(participantId: string, from: string | undefined, to: string | undefined): KeyRange {
  return timesAfter(['samples', participantId], from, to);
}

/** Key of the item that marks a visitor as counted in a session. */
export function sessionVisitorKey(session: SessionKey, { kind, visitorId }: Visitor) {
  return fact(organizationSession(session), 'visitor', kind, visitorId, session.roomName);
}

/** The range of a session's marks. */
export const sessionVisitors = allAfter('visitor');

/** Key of the item that marks a visitor as counted in a room. */
export function roomVisitorKey({ organizationId, roomName }: RoomKey, { kind, visitorId }: Visitor) {
  return fact(organizationRoom(organizationId, roomName), 'visitor', kind, visitorId);
}

/** Key of a session's start among the starts of its room's sessions. */
export function sessionStartKey({ organizationId, roomName, roomSessionId }: SessionKey, startedAt: string) {
  return fact(organizationRoom(organizationId, roomName), 'start', startedAt, roomSessionId);
}

/** The range of the starts of a room's sessions. */
export const sessionStarts = timesAfter(['start']);
