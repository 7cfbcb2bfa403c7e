import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet } from './batch-get.ts';
import { missingValues } from './insight-keys.ts';
import { firstOf, type Item, type Page, positionOf, queryBeyond, type SortedList } from './sorted-query.ts';

/** A list of which an index has the keys alone. */
export type IndexList = SortedList & {
  readonly field: string;
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

/** Every count has a value, and so have the start of a session and the creation of a room: no second run to look for. */
const mayBeMissing = new Set(['endAt', 'firstSessionStartedAt', 'lastSessionStartedAt', 'endedAt', 'leftAt', 'rating']);

/** Ascending, items without a value are last by themselves; descending, they are a second run behind the first. */
async function entriesOf(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  list: IndexList,
  count: number,
): Promise<Item[]> {
  const position = positionOf(list);
  if (list.direction === 'asc') return queryBeyond(documents, list, '>', position, count);
  if (!mayBeMissing.has(list.field)) {
    return queryBeyond(documents, list, '<', position ?? (list.range ? undefined : missingValues), count);
  }
  if (position !== undefined && position >= missingValues) return queryBeyond(documents, list, '>', position, count);
  const withValue = await queryBeyond(documents, list, '<', position ?? missingValues, count);
  if (withValue.length === count) return withValue;
  return [...withValue, ...(await queryBeyond(documents, list, '>', missingValues, count - withValue.length))];
}
