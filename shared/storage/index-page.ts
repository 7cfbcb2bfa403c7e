import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SortDirection } from '../contracts/fields.ts';
import { sortAttributeName } from '../names.ts';
import { batchGet } from './batch-get.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { missingValues } from './insight-keys.ts';

type Item = Record<string, unknown>;

/** A page of a list, and where the next begins. */
export type Page<Element> = { readonly results: readonly Element[]; readonly cursor: string | null };

/** One list: what makes its cursors its own, where it is read, and how it goes on. */
export type IndexList = {
  readonly name: readonly unknown[];
  readonly tableName: string;
  readonly index: string;
  readonly partition: readonly [name: string, value: string];
  /** Names of the table's own key, by which an index entry leads to its item. */
  readonly tableKey: readonly string[];
  readonly field: string;
  readonly direction: SortDirection;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/**
 * A page is a query of one index, which holds keys alone, and a read of the items that it names, so what is shown is
 * current. It begins after a position in the order: items that come, or move, between two pages do not disturb the rest.
 */
export async function readPage(documents: Pick<DynamoDBDocumentClient, 'send'>, list: IndexList): Promise<Page<Item>> {
  const { tableName, tableKey, field, limit } = list;
  const position = list.cursor === undefined ? undefined : decodeCursor(list.name, list.cursor);
  const entries = await entriesOf(documents, list, position, limit + 1); // one more tells whether there is a next page
  const shown = entries.slice(0, limit);
  const keyOf = (item: Item) => Object.fromEntries(tableKey.map((name) => [name, item[name]]));
  const items = await batchGet(documents, { tableName, keys: shown.map(keyOf) });
  const byKey = new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]));
  const last = entries.length > limit ? shown.at(-1) : undefined;
  return {
    results: shown.map((entry) => byKey.get(JSON.stringify(keyOf(entry)))).filter((item) => item !== undefined),
    cursor: last ? encodeCursor(list.name, String(last[sortAttributeName(field)])) : null,
  };
}

/** Ascending, items without a value are last by themselves; descending, they are a second run behind the first. */
async function entriesOf(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  list: IndexList,
  position: string | undefined,
  count: number,
): Promise<Item[]> {
  const isAmongMissing = position !== undefined && position >= missingValues;
  if (list.direction === 'asc' || isAmongMissing) return queryIndex(documents, list, '>', position, count);
  const withValue = await queryIndex(documents, list, '<', position ?? missingValues, count);
  if (withValue.length === count || !mayBeMissing.has(list.field)) return withValue;
  return [...withValue, ...(await queryIndex(documents, list, '>', missingValues, count - withValue.length))];
}

/** Every count has a value, and so have the start of a session and the creation of a room: no second run to look for. */
const mayBeMissing = new Set(['endAt', 'firstSessionStartedAt', 'lastSessionStartedAt', 'endedAt', 'leftAt', 'rating']);

async function queryIndex(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  { tableName, index, partition: [partitionName, partitionValue], field }: IndexList,
  beyond: '>' | '<',
  position: string | undefined,
  count: number,
): Promise<Item[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: `#partition = :partition${position === undefined ? '' : ` AND #sort ${beyond} :position`}`,
      ExpressionAttributeNames: {
        '#partition': partitionName,
        ...(position !== undefined && { '#sort': sortAttributeName(field) }),
      },
      ExpressionAttributeValues: { ':partition': partitionValue, ':position': position },
      ScanIndexForward: beyond === '>',
      Limit: count,
    }),
  );
  return Items;
}
