import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../batch-get.ts';
import { firstOf, type Item, type Page, positionOf, queryBeyond, type SortedList } from '../sorted-query.ts';
import { missingValues } from './sort-attributes.ts';

/** A list whose index has only keys. */
export type IndexList = SortedList & {
  /** Whether the sort field may be missing. Items without it come last in both directions. */
  readonly hasMissing: boolean;
  /** Attribute names of the table's own key, with which an index entry's item is read. */
  readonly tableKey: readonly string[];
};

/**
 * Reads a page: a query of an index that has only keys (of each partition at once), then the current items under these keys.
 * A page begins after a position in the order, so items that are added or moved between two pages do not affect the others.
 */
export async function readPage(documents: Pick<DynamoDBDocumentClient, 'send'>, list: IndexList): Promise<Page<Item>> {
  const { tableName, tableKey, limit } = list;
  const entries = await entriesOf(documents, list, limit + 1); // one more shows whether there is a next page
  const { results: shown, cursor } = firstOf(entries, list);
  const keyOf = (item: Item) => Object.fromEntries(tableKey.map((name) => [name, item[name]]));
  // An item that moves during the query may appear twice. Only its first appearance is shown.
  const keys = new Map(shown.map((entry) => [JSON.stringify(keyOf(entry)), keyOf(entry)]));
  const items = await batchGet(documents, { tableName, keys: [...keys.values()] });
  const byKey = new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]));
  const results = [...keys.keys()].map((key) => byKey.get(key)).filter((item) => item !== undefined);
  return { results, cursor };
}

/** In ascending order, items without a value sort last. In descending order, a second query reads them after the others. */
async function entriesOf(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  list: IndexList,
  count: number,
): Promise<Item[]> {
  const position = positionOf(list);
  if (list.direction === 'asc') return queryBeyond(documents, list, '>', position, count);
  if (!list.hasMissing) return queryBeyond(documents, list, '<', position, count);
  if (position !== undefined && position >= missingValues) return queryBeyond(documents, list, '>', position, count);
  const withValue = await queryBeyond(documents, list, '<', position ?? missingValues, count);
  if (withValue.length === count) return withValue;
  return [...withValue, ...(await queryBeyond(documents, list, '>', missingValues, count - withValue.length))];
}
