import { createHash } from 'node:crypto';
import type { OrganizationId } from '../contracts/organization.ts';
import { type TranscriptionFilter, transcriptionFilters } from '../contracts/transcription.ts';
import type { TranscriptionRecord } from '../domain/transcription.ts';
import { attributeNames } from '../names.ts';

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

/** Partition of one value within an organization. `#` is in no organization id, so two pairs never make one key. */
function organizationPart(organizationId: OrganizationId, value: string): string {
  return `${organizationId}#${value}`;
}

/** Partition of one room, in tables and indexes. */
export function organizationRoom(organizationId: OrganizationId, roomName: string): string {
  return organizationPart(organizationId, roomName);
}

/** The keys between which a list or a kind of facts lies, both included. */
export type KeyRange = readonly [first: string, last: string];

/** Sorts after every time, as `0` sorts before. */
export const afterAllTimes = ':';

/**
 * The sort keys that begin with a time from `from` on, before `to`; undefined where neither is given. No key is `to`
 * itself, since each goes on behind its time.
 */
export function timeRange(from: string | undefined, to: string | undefined, before = ''): KeyRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  return [before + (from ?? '0'), before + (to ?? afterAllTimes)];
}

/** The due index's partition of a transcription. By a hash: not every kind of UUID has digits that spread. */
export function dueShard(transcriptionId: string): string {
  const [byte = 0] = createHash('sha256').update(transcriptionId).digest();
  return `due-${byte % dueShardCount}`;
}

/** All partitions of the due index. */
export const dueShards: readonly string[] = Array.from({ length: dueShardCount }, (_, shard) => `due-${shard}`);

const filterAttributes: Record<TranscriptionFilter, string> = {
  roomName: attributeNames.organizationRoom,
  state: attributeNames.organizationState,
  type: attributeNames.organizationType,
  roomSessionId: attributeNames.organizationSession,
  recordingId: attributeNames.organizationRecording,
};

/** The index partition of one value of a filter. Each filter has an attribute of its own, so that values of two never meet. */
export function filterPartition(
  organizationId: OrganizationId,
  [filter, value]: readonly [TranscriptionFilter, string],
): readonly [name: string, value: string] {
  return [filterAttributes[filter], organizationPart(organizationId, value)];
}

/**
 * The attributes that the list indexes find and sort a transcription by. What it is sorted by ends in start date and id,
 * so that no two are equal and ties stand in the order of their start.
 */
export function listAttributes(record: TranscriptionRecord): Record<string, string> {
  const { organizationId, transcriptionId, startDate, roomName, durationInSeconds } = record;
  const tieBreak = [startDate, transcriptionId];
  const partitions = transcriptionFilters.flatMap((filter) => {
    const value = record[filter];
    return value === undefined ? [] : [filterPartition(organizationId, [filter, value])];
  });
  return {
    ...Object.fromEntries(partitions),
    [attributeNames.startDateSort]: tieBreak.join(separator),
    [attributeNames.roomNameSort]: [roomName, ...tieBreak].join(separator),
    [attributeNames.durationInSecondsSort]: [String(durationInSeconds).padStart(durationDigits, '0'), ...tieBreak].join(
      separator,
    ),
  };
}
