import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../batch-get.ts';
import { firstOf, type Item, type Page, positionOf, queryBeyond, type SortedList } from '../sorted-query.ts';
import { missingValues } from './keys.ts';

/** A list of which an index has the keys alone. */
export type IndexList = SortedList & {
  /** Whether items may be without a value of the field that orders the list: those are behind all others, in every order. */
  readonly hasMissing: boolean;
  /** Names of the table's own key, by which an index entry leads to its item. */
  readonly tableKey: readonly string[];
};

/**
 * A page is a query of one index, which holds keys alone, and a read of the items that it names, so what is shown is
 * current. It begins after a position in the order: items that come, or move, between two pages do not disturb the rest.
 */
export async function readPage(documents: Pick<DynamoDBDocumentClient, 'send'>, list: IndexList): Promise<Page<Item>> {
  const { tableName, tableKey, limit } = list;
  const entries = await entriesOf(documents, list, limit + 1); // one more tells whether there is a next page
  const { results: shown, cursor } = firstOf(entries, list);
  const keyOf = (item: Item) => Object.fromEntries(tableKey.map((name) => [name, item[name]]));
  // An item that moves while it is looked for can be met twice; it is shown where it was met first.
  const keys = new Map(shown.map((entry) => [JSON.stringify(keyOf(entry)), keyOf(entry)]));
  const items = await batchGet(documents, { tableName, keys: [...keys.values()] });
  const byKey = new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]));
  const results = [...keys.keys()].map((key) => byKey.get(key)).filter((item) => item !== undefined);
  return { results, cursor };
}

/** Ascending, items without a value are last by themselves; descending, they are a second run behind the first. */
async function entriesOf(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  list: IndexList,
  count: number,
): Promise<Item[]> {
  const position = positionOf(list);
  if (list.direction === 'asc') return queryBeyond(documents, list, '>', position, count);
  if (!list.hasMissing) {
    return queryBeyond(documents, list, '<', position ?? (list.range ? undefined : missingValues), count);
  }
  if (position !== undefined && position >= missingValues) return queryBeyond(documents, list, '>', position, count);
  const withValue = await queryBeyond(documents, list, '<', position ?? missingValues, count);
  if (withValue.length === count) return withValue;
  return [...withValue, ...(await queryBeyond(documents, list, '>', missingValues, count - withValue.length))];
}
