import type { OrganizationId } from '../../contracts/organization.ts';
import type { RoomCreated, SessionEvent, SessionFact } from '../../contracts/session-events.ts';
import type { RoomKey } from '../../domain/insight-records.ts';
import type { SessionKey, Visitor } from '../../domain/participant-record.ts';
import { attributeNames, sortAttributeName } from '../../names.ts';
import { afterAllTimes, type KeyRange, organizationRoom, separator, sortKey, timeRange } from '../keys.ts';

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

/** Key of a room. */
export function roomKey({ organizationId, roomName }: RoomKey) {
  return { [attributeNames.organizationId]: organizationId, [attributeNames.roomName]: roomName };
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

/** Prefix of the sort keys of items with a value. */
const knownValues = '0';
/** Prefix of the sort keys of items without a value. They sort after all items with one. */
export const missingValues = '1';

/** The range of the items whose time is from `from` on and before `to`. */
export function sortedTimes(from: string | undefined, to: string | undefined): KeyRange | undefined {
  return timeRange(from, to, knownValues);
}

const lastCharacter = '\u{10ffff}';
/** As many of the last character as fill the longest possible room name. */
const maxCharactersOfName = 128;

/** The range of the names that begin with `prefix`. No such name sorts after the prefix followed by repetitions of the last character. */
export function namesBeginningWith(prefix: string): KeyRange {
  return [prefix, prefix + lastCharacter.repeat(maxCharactersOfName)];
}

/** Decimals of the average rating, the one value that is not a whole number. */
const ratingDecimals = 9;

/**
 * The attributes by which the indexes sort an item: the value, then `tieBreak`. So no two keys are equal, and an item moves
 * only if its own value changes.
 */
export function sortAttributesOf<Field extends string>(
  fields: readonly Field[],
  values: Readonly<Record<Field, string | number | null>>,
  tieBreak: string,
): Record<string, string> {
  const entries = fields.map((field) => [sortAttributeName(field), sortKeyOf(field, values[field], tieBreak)]);
  return Object.fromEntries(entries);
}

function sortKeyOf(field: string, value: string | number | null, tieBreak: string): string {
  if (value === null) return sortKey(missingValues, [tieBreak]);
  return sortKey(value, [tieBreak], { prefix: knownValues, decimals: field === 'rating' ? ratingDecimals : 0 });
}
