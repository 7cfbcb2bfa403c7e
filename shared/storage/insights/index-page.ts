import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../common/batch-get.ts';
import { encodeCursor } from '../common/cursor.ts';
import { firstOf, type Item, type Page, positionOf, queryBeyond, type SortedList } from '../common/sorted-query.ts';
import { missingValues } from './sort-attributes.ts';

/** A list whose index has only keys. */
export type IndexList = SortedList & {
  /** Whether the sort field may be missing. Items without it come last in both directions. */
  readonly hasMissing: boolean;
  /** Attribute names of the table's own key, with which an index entry's item is read. */
  readonly tableKey: readonly string[];
  /** Whether an entry belongs to the list. Undefined: every entry does. */
  readonly includes?: (entry: Item) => boolean;
};

/**
 * The entries of each partition that a page reads at most. With the four partitions of rooms these are 1 000: 28 read units, while a
 * page of ten rooms takes 7 without a filter, or with one that an index serves.
 */
const maxEntries = 250;
/** Each query of a page reads this many times as much as the one before. */
const growth = 4;

/**
 * Reads a page: queries of an index that has little more than keys (of each partition at once), then the current items under these keys.
 * A page begins after a position in the order, so items that are added or moved between two pages do not affect the others.
 */
export async function readPage(documents: Pick<DynamoDBDocumentClient, 'send'>, list: IndexList): Promise<Page<Item>> {
  const { tableName, tableKey } = list;
  const { results: shown, cursor } = await entriesOfPage(documents, list);
  const keyOf = (item: Item) => Object.fromEntries(tableKey.map((name) => [name, item[name]]));
  // An item that moves during the query may appear twice. Only its first appearance is shown.
  const keys = new Map(shown.map((entry) => [JSON.stringify(keyOf(entry)), keyOf(entry)]));
  const items = await batchGet(documents, { tableName, keys: [...keys.values()] });
  const byKey = new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]));
  const results = [...keys.keys()].map((key) => byKey.get(key)).filter((item) => item !== undefined);
  return { results, cursor };
}

/** The entries of a page. If there are few among many, the page ends after the last entry that was read. */
async function entriesOfPage(documents: Pick<DynamoDBDocumentClient, 'send'>, list: IndexList): Promise<Page<Item>> {
  const { name, limit, sortKey, includes = () => true } = list;
  const results: Item[] = [];
  let position = positionOf(list);
  let count = limit + 1; // one more shows whether there is a next page
  for (let left = maxEntries; ; left -= count, count = Math.min(count * growth, left)) {
    if (left === 0) return { results, cursor: encodeCursor(name, String(position)) };
    const entries = await entriesFrom(documents, list, position, count);
    results.push(...entries.filter(includes));
    if (results.length > limit || entries.length < count) return firstOf(results, list);
    position = String(entries.at(-1)?.[sortKey]);
  }
}

/** In ascending order, items without a value sort last. In descending order, a second query reads them after the others. */
async function entriesFrom(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  list: IndexList,
  position: string | undefined,
  count: number,
): Promise<Item[]> {
  if (list.direction === 'asc') return queryBeyond(documents, list, '>', position, count);
  if (!list.hasMissing) return queryBeyond(documents, list, '<', position, count);
  if (position !== undefined && position >= missingValues) return queryBeyond(documents, list, '>', position, count);
  const withValue = await queryBeyond(documents, list, '<', position ?? missingValues, count);
  if (withValue.length >= count) return withValue;
  return [...withValue, ...(await queryBeyond(documents, list, '>', missingValues, count - withValue.length))];
}
