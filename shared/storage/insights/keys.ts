import { createHash } from 'node:crypto';
import type { SessionParticipant } from '#shared/contracts/insights/insights.ts';
import type { RoomCreated } from '#shared/contracts/insights/session-events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { RoomKey } from '#shared/domain/insights/insight-records.ts';
import type { SessionId, SessionKey } from '#shared/domain/insights/participant-record.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { afterAllTimes, type KeyRange, organizationPart, organizationRoom, separator } from '../common/keys.ts';
import { afterAllValues } from './sort-attributes.ts';

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
export const roomShards = 4;

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

/** Key of a page of the sorted participant lists of one session id: the list's field, and the sort key of the page's first element. */
export function participantPageKey(session: SessionId, field: string, firstSortKey: string) {
  return {
    [attributeNames.organizationSession]: organizationSession(session),
    [attributeNames.listKey]: key(field, firstSortKey),
  };
}

/** The range of the pages of a list, from the first to the last of these sort keys. */
export function participantPages(field: string, first = '', last = afterAllValues): KeyRange {
  return [key(field, first), key(field, last)];
}

/** Key of the item of a participant with an external id. It includes the room's name, because the same session id in two rooms is two sessions. */
export function externalParticipantKey({ roomName, ...session }: SessionKey, participantId: string) {
  return {
    [attributeNames.organizationSession]: organizationSession(session),
    [attributeNames.listKey]: key('externalId', participantId, roomName),
  };
}

/**
 * Orders participants with the same time or without one, within a session and across sessions: by their join, so that those who are still
 * there are in the order in which they came.
 */
export function participantTieBreak({ roomName, roomSessionId }: SessionKey, listed: SessionParticipant): string {
  return key(listed.joinedAt, roomSessionId, listed.participantId, roomName);
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

const blockDigits = 8;

/** Key of a block of a session's log. */
export function blockKey(session: SessionId, number: number) {
  return fact(organizationSession(session), 'events', String(number).padStart(blockDigits, '0'));
}

/** The range of the blocks of a session's log after the one with this number. */
export function blocksAfter(number: number): KeyRange {
  return [key('events', String(number + 1).padStart(blockDigits, '0')), key('events', afterAllTimes)];
}

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

/** Key of a block of samples, by the time of its first sample. */
export function sampleBlockKey(session: SessionId, participantId: string, startedAt: string, eventId: string) {
  return fact(organizationSession(session), 'samples', participantId, startedAt, eventId);
}

/** Sort key of a block of samples in the index by time: the length of the block, then its start. */
export function spanKey(span: string, startedAt: string): string {
  return key(span, startedAt);
}

/** The start of a block of samples, from that key. */
export function startOfSpan(spanKey: string): string {
  return spanKey.slice(spanKey.indexOf(separator) + 1);
}

/** The participant of a block of samples, from its key. */
export function participantOfSamples(factKey: string): string {
  return factKey.split(separator)[1] ?? '';
}

/** The range of one participant's blocks that begin from `from` on and before `to`. */
export function sampleBlocks(participantId: string, from: string | undefined, to: string | undefined): KeyRange {
  return timesAfter(['samples', participantId], from, to);
}

/**
 * Key of a block of speech, by the time of its start. The time comes before the participant, because speech is read for all participants of a
 * session over the time of a recording.
 */
export function speechBlockKey(session: SessionId, startedAt: string, participantId: string, eventId: string) {
  return fact(organizationSession(session), 'speech', startedAt, participantId, eventId);
}

/** The range of a session's blocks of speech that begin from `from` on and before `to`. */
export function speechBlocks(from?: string, to?: string): KeyRange {
  return timesAfter(['speech'], from, to);
}

/** Key of a segment of a room's visitors. */
export function visitorSegmentKey({ organizationId, roomName }: RoomKey, shard: number, segment: number) {
  const numbered = String(segment).padStart(segmentDigits, '0');
  return fact(organizationRoom(organizationId, roomName), 'visitors', shardName(shard), numbered);
}

/** The range of the segments of one shard of a room's visitors. */
export function visitorSegments(shard: number): KeyRange {
  return allAfter('visitors', shardName(shard));
}

const segmentDigits = 6;

function shardName(shard: number): string {
  return shard.toString(16);
}

/** Key of a session's start among the starts of its room's sessions. */
export function sessionStartKey({ organizationId, roomName, roomSessionId }: SessionKey, startedAt: string) {
  return fact(organizationRoom(organizationId, roomName), 'start', startedAt, roomSessionId);
}

/** The range of the starts of a room's sessions. */
export const sessionStarts = timesAfter(['start']);
