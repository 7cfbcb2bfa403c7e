import { createHash } from 'node:crypto';
import type { OrganizationId } from '../contracts/organization.ts';
import type { TranscriptionSortField } from '../contracts/transcription.ts';
import type { TranscriptionRecord } from '../domain/transcription.ts';
import { attributeNames, indexNames } from '../names.ts';

/** Joins the parts of composite keys. Sorts before every other character and is in no room name, so that a name comes before its own continuations. */
export const separator = '\0';
/** Digits of the longest time between two dates that the contract takes. */
const durationDigits = 12;
/** The due index is spread over as many partitions, since every organization writes to it. */
const dueShardCount = 8;

/** Key of a recording. */
export function recordingKey(organizationId: OrganizationId, recordingId: string) {
  return { [attributeNames.organizationId]: organizationId, [attributeNames.recordingId]: recordingId };
}

/** Key of a transcription, or of its tombstone. */
export function transcriptionKey(organizationId: OrganizationId, transcriptionId: string) {
  return { [attributeNames.organizationId]: organizationId, [attributeNames.transcriptionId]: transcriptionId };
}

/** Partition of one room, in tables and indexes. `#` is in no organization id, so two pairs never make one key. */
export function organizationRoom(organizationId: OrganizationId, roomName: string): string {
  return `${organizationId}#${roomName}`;
}

/** The due index's partition of a transcription. By a hash: not every kind of UUID has digits that spread. */
export function dueShard(transcriptionId: string): string {
  const [byte = 0] = createHash('sha256').update(transcriptionId).digest();
  return `due-${byte % dueShardCount}`;
}

/** All partitions of the due index. */
export const dueShards: readonly string[] = Array.from({ length: dueShardCount }, (_, shard) => `due-${shard}`);

/**
 * The attributes that the list indexes sort a transcription by. Each ends in start date and id, so that no two are equal
 * and ties stand in the order of their start.
 */
export function sortAttributes(record: TranscriptionRecord): Record<string, string> {
  const { organizationId, transcriptionId, startDate, roomName, durationInSeconds } = record;
  const tieBreak = [startDate, transcriptionId];
  return {
    [attributeNames.organizationRoom]: organizationRoom(organizationId, roomName),
    [attributeNames.startDateSort]: tieBreak.join(separator),
    [attributeNames.roomNameSort]: [roomName, ...tieBreak].join(separator),
    [attributeNames.durationInSecondsSort]: [String(durationInSeconds).padStart(durationDigits, '0'), ...tieBreak].join(
      separator,
    ),
  };
}

/** Where a list is read: one index, one partition of it, and the attribute that orders it. */
export type ListKey = { readonly index: string; readonly partitionKey: [string, string]; readonly sortKey: string };

const organizationIndexes: Record<TranscriptionSortField, readonly [index: string, sortKey: string]> = {
  startDate: [indexNames.byStartDate, attributeNames.startDateSort],
  roomName: [indexNames.byRoomName, attributeNames.roomNameSort],
  durationInSeconds: [indexNames.byDurationInSeconds, attributeNames.durationInSecondsSort],
};

const roomIndexes: typeof organizationIndexes = {
  startDate: [indexNames.byRoomAndStartDate, attributeNames.startDateSort],
  // One room has one name: all are ties, which stand in the order of their start.
  roomName: [indexNames.byRoomAndStartDate, attributeNames.startDateSort],
  durationInSeconds: [indexNames.byRoomAndDurationInSeconds, attributeNames.durationInSecondsSort],
};

/** The index and partition that answer a list of an organization's transcriptions, or of one of its rooms. */
export function listKey(organizationId: OrganizationId, field: TranscriptionSortField, roomName?: string): ListKey {
  const [index, sortKey] = (roomName === undefined ? organizationIndexes : roomIndexes)[field];
  const partitionKey: [string, string] =
    roomName === undefined
      ? [attributeNames.organizationId, organizationId]
      : [attributeNames.organizationRoom, organizationRoom(organizationId, roomName)];
  return { index, partitionKey, sortKey };
}
