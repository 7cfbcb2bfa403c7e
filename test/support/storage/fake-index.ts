import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { compareBytes } from '../media/byte-order.ts';

type Item = Record<string, unknown>;
type Query = {
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues: Readonly<Record<string, string>>;
  readonly ScanIndexForward: boolean;
  readonly Limit: number;
  readonly ExclusiveStartKey?: Item;
};

const keyCondition = /^(\S+) = (:\w+)(?: AND (\S+) (?:([<>]) (:\w+)|BETWEEN (:\w+) AND (:\w+)))?$/;

/**
 * A fake table with indexes behind a document client. An index returns only keys, and when a room was created; the table whole
 * items. Both are sorted by their bytes. `queries` collects the queries. A test may change `items`. `otherTables` have one
 * item each, which every key finds.
 */
export function fakeIndex(
  tableKey: readonly string[],
  rows: readonly Item[],
  otherTables: Readonly<Record<string, readonly Item[]>> = {},
) {
  const items = [...rows];
  const queries: (Query & Item)[] = [];
  const reads: Item[][] = [];

  const query = (input: Query & Item) => {
    queries.push(input);
    const nameOf = (name = '') => input.ExpressionAttributeNames?.[name] ?? name;
    const textOf = (name = '') => String(input.ExpressionAttributeValues[name]);
    const condition = keyCondition.exec(input.KeyConditionExpression);
    if (!condition) throw new Error(`Not understood: ${input.KeyConditionExpression}`);
    const [, owner, ownerValue, sort, beyond, position, first, last] = condition;
    const partition = nameOf(owner);
    const sortKey = sort ? nameOf(sort) : input.IndexName === undefined ? String(tableKey.at(-1)) : sortKeyOf(input);
    const isMeant = (item: Item) => {
      const key = String(item[sortKey]);
      if (first) return compareBytes(textOf(first), key) <= 0 && compareBytes(key, textOf(last)) <= 0;
      const order = beyond ? compareBytes(key, textOf(position)) : 0;
      return beyond === undefined || (beyond === '>' ? order > 0 : order < 0);
    };
    const compare = (one: Item, other: Item) =>
      compareBytes(String(one[sortKey]), String(other[sortKey])) * (input.ScanIndexForward ? 1 : -1);
    const after = input.ExclusiveStartKey;
    const found = items
      .filter((item) => item[partition] === textOf(ownerValue) && typeof item[sortKey] === 'string' && isMeant(item))
      .filter((item) => after === undefined || compare(item, after) > 0)
      .toSorted(compare);
    const keys = [...tableKey, partition, sortKey];
    const keysOf = (item: Item) => Object.fromEntries(keys.map((name) => [name, item[name]]));
    const entryOf = (item: Item) => ({
      ...keysOf(item),
      ...('createdAtSort' in item && { createdAtSort: item.createdAtSort }),
    });
    const shown = found.slice(0, input.Limit);
    return {
      Items: input.IndexName === undefined ? shown : shown.map(entryOf),
      // As in DynamoDB, even if nothing follows.
      ...(shown.length === input.Limit && { LastEvaluatedKey: keysOf(shown.at(-1) ?? {}) }),
    };
  };

  const batchGet = (input: Item) => {
    const [[tableName, { Keys }] = ['', { Keys: [] }]] = Object.entries(
      input.RequestItems as Record<string, { Keys: Item[] }>,
    );
    const other = otherTables[tableName];
    if (other) return { Responses: { [tableName]: other } };
    reads.push(Keys);
    const isAt = (item: Item, key: Item) => tableKey.every((name) => item[name] === key[name]);
    // In any order: the reader must not rely on it.
    return { Responses: { [tableName]: items.filter((item) => Keys.some((key) => isAt(item, key))) } };
  };

  const send = async (command: { readonly input: Item }) =>
    command.constructor.name === 'QueryCommand' ? query(command.input as Query & Item) : batchGet(command.input);
  const documents = { send } as unknown as Pick<DynamoDBDocumentClient, 'send'>;
  return { documents, items, queries, reads };
}

/**
 * The sort key in the name of an index: `by-organization-room-and-ended-at` and `by-ended-at` sort by `endedAtSort`.
 */
function sortKeyOf({ IndexName }: Item): string {
  const [, field = ''] = /^by-(?:.*-and-)?(.+)$/.exec(String(IndexName)) ?? [];
  return `${field.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())}Sort`;
}
