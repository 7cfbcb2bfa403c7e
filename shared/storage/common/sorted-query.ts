import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SortDirection } from '#shared/contracts/common/fields.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { KeyRange } from './keys.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;
/** An item that a query returns. */
export type Item = Record<string, unknown>;

/** A page of a list, and the cursor of the next page. */
export type Page<Element> = { readonly results: readonly Element[]; readonly cursor: string | null };

/** One list: the name that its cursors are bound to, its index and partition, and the page that is requested. */
export type SortedList = {
  readonly name: readonly unknown[];
  readonly tableName: string;
  /** Undefined if the table itself has the requested order. */
  readonly index?: string;
  /** The attribute, and the partitions that together contain the list. */
  readonly partition: readonly [name: string, ...values: string[]];
  readonly sortKey: string;
  /** The sort keys that belong to the list. Undefined: all sort keys of the partition. */
  readonly range?: KeyRange | undefined;
  readonly direction: SortDirection;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** The sort key after which the page begins; undefined for the first page. Throws `InvalidRequest` for a cursor of another list. */
export function positionOf({ name, cursor, range }: SortedList): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(name, cursor, range);
}

/** Reads a page of whole items in one query. A hundred of the largest items stay below the query's limit of 1 MB. */
export async function queryPage(documents: Documents, list: SortedList): Promise<Page<Item>> {
  const beyond = list.direction === 'asc' ? '>' : '<';
  return firstOf(await queryBeyond(documents, list, beyond, positionOf(list), list.limit + 1), list);
}

/** The first page of the items. If there are more items than the limit, there is a next page. */
export function firstOf(items: readonly Item[], { name, limit, sortKey }: SortedList): Page<Item> {
  const results = items.slice(0, limit);
  const last = items.length > limit ? results.at(-1) : undefined;
  return { results, cursor: last ? encodeCursor(name, String(last[sortKey])) : null };
}

/**
 * Reads the items that follow a position, which need not be that of an item: at least `count`, or all of them. All partitions are
 * read at once. Each is asked for `count` items, because all of the next ones may be in one of them.
 */
export async function queryBeyond(
  documents: Documents,
  list: SortedList,
  ...beyond: readonly [way: '>' | '<', position: string | undefined, count: number]
): Promise<Item[]> {
  const [name, ...values] = list.partition;
  const parts = await Promise.all(values.map((value) => queryPartition(documents, list, [name, value], ...beyond)));
  const [way, , count] = beyond;
  return parts.length === 1 ? parts.flat() : merged(parts, list.sortKey, way, count);
}

/**
 * Merges sorted parts by the bytes of their sort keys, like DynamoDB. A part with `count` items may have more, which are not known
 * yet. So nothing after the last item of such a part belongs to the result.
 */
function merged(parts: readonly (readonly Item[])[], sortKey: string, way: '>' | '<', count: number): Item[] {
  const sign = way === '>' ? 1 : -1;
  const keyOf = (item: Item | undefined) => Buffer.from(String(item?.[sortKey]));
  const compare = (one: Buffer, other: Buffer) => sign * one.compare(other);
  const [end] = parts
    .filter(({ length }) => length >= count)
    .map((part) => keyOf(part.at(-1)))
    .sort(compare);
  const keyed = parts.flat().map((item) => ({ item, key: keyOf(item) }));
  const known = keyed.filter(({ key }) => end === undefined || compare(key, end) <= 0);
  return known.sort((one, other) => compare(one.key, other.key)).map(({ item }) => item);
}

async function queryPartition(
  documents: Documents,
  { tableName, index, sortKey, range }: SortedList,
  partition: readonly [name: string, value: string],
  beyond: '>' | '<',
  position: string | undefined,
  count: number,
): Promise<Item[]> {
  const { condition, values } = sortCondition(range, beyond, position);
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: `#partition = :partition${condition}`,
      ExpressionAttributeNames: { '#partition': partition[0], ...(condition && { '#sort': sortKey }) },
      ExpressionAttributeValues: { ':partition': partition[1], ...values },
      ScanIndexForward: beyond === '>',
      Limit: range && position !== undefined ? count + 1 : count,
    }),
  );
  return Items.filter((item) => item[sortKey] !== position).slice(0, count);
}

/** BETWEEN includes both ends, so a range that begins at the position returns the last shown item again. */
function sortCondition(range: KeyRange | undefined, beyond: '>' | '<', position: string | undefined) {
  if (range) {
    const [first, last] = beyond === '>' ? [position ?? range[0], range[1]] : [range[0], position ?? range[1]];
    return { condition: ' AND #sort BETWEEN :first AND :last', values: { ':first': first, ':last': last } };
  }
  if (position === undefined) return { condition: '', values: {} };
  return { condition: ` AND #sort ${beyond} :position`, values: { ':position': position } };
}
