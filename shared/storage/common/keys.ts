import { createHash } from 'node:crypto';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { attributeNames } from '#shared/runtime/names.ts';

/** Joins the parts of composite keys. It sorts before every other character and is in no room name, so a name sorts before its own continuations. */
export const separator = '\0';

/** Partition of one value within an organization. `#` is in no organization id, so two pairs never make one key. */
export function organizationPart(organizationId: OrganizationId, value: string): string {
  return `${organizationId}#${value}`;
}

/** Partition of one room, in tables and indexes. */
export function organizationRoom(organizationId: OrganizationId, roomName: string): string {
  return organizationPart(organizationId, roomName);
}

/** The organization and the room of that partition. No organization id contains `#`, but a room name can. */
export function partsOfOrganizationRoom(key: string): readonly [organizationId: string, roomName: string] {
  const end = key.indexOf('#');
  return [key.slice(0, end), key.slice(end + 1)];
}

/** Compares sort keys as DynamoDB does, by their bytes of UTF-8. JavaScript compares UTF-16 units, in which U+FFEE is after an emoji. */
export function compareKeys(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The first and the last sort key of a range, both included. */
export type KeyRange = readonly [first: string, last: string];

/** Sorts after every time, as `0` sorts before every time. */
export const afterAllTimes = ':';

/**
 * The sort keys that begin with a time from `from` on and before `to`; undefined if neither is given. No key equals `to`,
 * because every key continues after its time.
 */
export function timeRange(from: string | undefined, to: string | undefined, before = ''): KeyRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  return [before + (from ?? '0'), before + (to ?? afterAllTimes)];
}

/** Key of what is counted of a room on a day. The rooms of a day follow each other. */
export function usageDayKey(key: {
  readonly organizationId: OrganizationId;
  readonly day: string;
  readonly roomName: string;
}) {
  return {
    [attributeNames.organizationId]: key.organizationId,
    [attributeNames.usageKey]: [key.day, key.roomName].join(separator),
  };
}

/** The day and the room of the sort key of that. */
export function partsOfUsageKey(usageKey: string): { readonly day: string; readonly roomName: string } {
  const end = usageKey.indexOf(separator);
  return { day: usageKey.slice(0, end), roomName: usageKey.slice(end + 1) };
}

/** The range of the days from `from` to `to`, both included. No part contains a character below U+0001. */
export function usageDays(from: string, to: string): KeyRange {
  return [from, `${to}\u0001`];
}

/** How a sort key is written: a prefix, and the decimals of a number that is not whole. */
type SortKeyFormat = { readonly prefix?: string; readonly decimals?: number };

/**
 * A sort key: the value, then the parts that tell equal values apart. Keys sort as their values do. Text and times are
 * written as they are, whole numbers after the number of their digits, and other numbers with a fixed number of decimals.
 */
export function sortKey(
  value: string | number,
  tieBreak: readonly string[],
  { prefix = '', decimals = 0 }: SortKeyFormat = {},
): string {
  return [`${prefix}${typeof value === 'number' ? sortableNumber(value, decimals) : value}`, ...tieBreak].join(
    separator,
  );
}

function sortableNumber(value: number, decimals: number): string {
  return decimals > 0 ? value.toFixed(decimals) : String(value).length.toString(36) + value;
}

/** Number of partitions of a due index for each of its workers. One would be too hot, because every organization writes to it. */
const dueShardCount = 8;

/** A due index's partition of a transcription or a session. It comes from a hash, because not every kind of UUID has evenly spread digits. */
export function dueShard(id: string): string {
  return shardOf('due', id);
}

/** The partition of an ended session whose end is to be told, in the same index. Another worker looks at these. */
export function settleShard(id: string): string {
  return shardOf('settle', id);
}

/** All partitions of a due index. */
export const dueShards = shards('due');

/** All partitions of the sessions whose ends are to be told. */
export const settleShards = shards('settle');

function shardOf(prefix: string, id: string): string {
  const [byte = 0] = createHash('sha256').update(id).digest();
  return `${prefix}-${byte % dueShardCount}`;
}

function shards(prefix: string): readonly string[] {
  return Array.from({ length: dueShardCount }, (_, shard) => `${prefix}-${shard}`);
}
