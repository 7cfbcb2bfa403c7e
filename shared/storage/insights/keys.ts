import type { OrganizationId } from '../../contracts/organization.ts';
import type { SessionEvent } from '../../contracts/session-events.ts';
import type { RoomKey } from '../../domain/insight-records.ts';
import type { SessionKey, Visitor } from '../../domain/participant-record.ts';
import { attributeNames, sortAttributeName } from '../../names.ts';
import { afterAllTimes, type KeyRange, organizationRoom, separator, sortKey, timeRange } from '../keys.ts';

/** A session's id within its organization; the room is not part of it, since samples do not name one. */
type SessionId = Pick<SessionKey, 'organizationId' | 'roomSessionId'>;

const key = (...parts: readonly string[]) => parts.join(separator);

/** Partition of what is known of one session. No room name begins like a UUID, so it is never that of a room. */
export function organizationSession({ organizationId, roomSessionId }: SessionId): string {
  return `${organizationId}#${roomSessionId}`;
}

/** Index partition of everyone who joined under one external id. */
export function organizationExternalId(organizationId: OrganizationId, externalId: string): string {
  return `${organizationId}#${externalId}`;
}

/** Index partition of those of them who are in one session. */
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

/** Key of a participant. With the room's name, since one session id in two rooms is two sessions. */
export function participantKey(session: SessionKey, participantId: string) {
  return {
    [attributeNames.organizationSession]: organizationSession(session),
    [attributeNames.participantKey]: key(participantId, session.roomName),
  };
}

/** Tells participants with the same time apart, within a session and across sessions. */
export function participantTieBreak({ roomName, roomSessionId }: SessionKey, participantId: string): string {
  return key(roomSessionId, participantId, roomName);
}

const fact = (factOwner: string, ...parts: readonly string[]) => ({
  [attributeNames.factOwner]: factOwner,
  [attributeNames.factKey]: key(...parts),
});

/**
 * Keys that go on with a time after `parts`: all of them, or those from `from` on, before `to`. As a range: `begins_with` of
 * the one-machine runner's DynamoDB (Dynoxide 1.2.1) does not see what stands behind a NUL.
 */
function timesAfter(parts: readonly string[], from = '', to = afterAllTimes): KeyRange {
  return [key(...parts, from), key(...parts, to)];
}

/** Key of an event that is kept: of its participant, or of the session itself, by time and id. */
export function eventKey(event: SessionEvent) {
  const owner = organizationSession({ organizationId: event.organizationId, roomSessionId: event.data.roomSessionId });
  const place = 'participantId' in event.data ? ['client', event.data.participantId] : ['session'];
  return fact(owner, ...place, event.createdAt, event.id);
}

/** Where a session's own events are. */
export const sessionFacts = timesAfter(['session']);

/** Where one participant's events are. */
export function clientFacts(participantId: string): KeyRange {
  return timesAfter(['client', participantId]);
}

/** Key of a block of samples, by the time of the first of them. */
export function sampleBlockKey(session: SessionId, participantId: string, startedAt: string, eventId: string) {
  return fact(organizationSession(session), 'samples', participantId, startedAt, eventId);
}

/** Where one participant's blocks are that begin from `from` on, before `to`. */
export function sampleBlocks(participantId: string, from: string | undefined, to: string | undefined): KeyRange {
  return timesAfter(['samples', participantId], from, to);
}

/** Key of the mark that a session has counted a visitor. */
export function sessionVisitorKey(session: SessionKey, { kind, visitorId }: Visitor) {
  return fact(organizationSession(session), 'visitor', kind, visitorId, session.roomName);
}

/** Key of the mark that a room has counted a visitor. */
export function roomVisitorKey({ organizationId, roomName }: RoomKey, { kind, visitorId }: Visitor) {
  return fact(organizationRoom(organizationId, roomName), 'visitor', kind, visitorId);
}

/** Key of a session's start among the starts of its room's sessions. */
export function sessionStartKey({ organizationId, roomName, roomSessionId }: SessionKey, startedAt: string) {
  return fact(organizationRoom(organizationId, roomName), 'start', startedAt, roomSessionId);
}

/** Where the starts of a room's sessions are. */
export const sessionStarts = timesAfter(['start']);

/** What a value is sorted behind. */
const knownValues = '0';
/** Values sort before those that are missing, and those are found from here on. */
export const missingValues = '1';

/** Where an index has the items whose time is from `from` on, before `to`. */
export function sortedTimes(from: string | undefined, to: string | undefined): KeyRange | undefined {
  return timeRange(from, to, knownValues);
}

const lastCharacter = '\u{10ffff}';
/** As many as fill the longest room name that there may be. */
const maxCharactersOfName = 128;

/** Where the names are that begin with `prefix`: none sorts behind it and then the last of all characters, over and over. */
export function namesBeginningWith(prefix: string): KeyRange {
  return [prefix, prefix + lastCharacter.repeat(maxCharactersOfName)];
}

/** Decimals of the average rating, the one value that is not a whole number. */
const ratingDecimals = 9;

/**
 * The attributes that the indexes sort an item by: value, then `tieBreak`, so that no two are equal and none moves but
 * by its own value.
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
