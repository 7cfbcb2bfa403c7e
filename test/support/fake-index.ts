import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { compareBytes } from './byte-order.ts';

type Item = Record<string, unknown>;
type Query = {
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues: Readonly<Record<string, string>>;
  readonly ScanIndexForward: boolean;
  readonly Limit: number;
};

/**
 * A fake table with indexes behind a document client. An index returns only keys, the table whole items, sorted by their
 * bytes. `queries` collects the queries. A test may change `items`.
 */
export function fakeIndex(tableKey: readonly string[], rows: readonly Item[]) {
  const items = [...rows];
  const queries: (Query & Item)[] = [];
  const reads: Item[][] = [];

  const query = (input: Query & Item) => {
    queries.push(input);
    const { '#partition': partition = '', '#sort': sort } = input.ExpressionAttributeNames;
    const {
      ':partition': value,
      ':position': position = '',
      ':first': first,
      ':last': last,
    } = input.ExpressionAttributeValues;
    const beyond = / (<|>) :position$/.exec(input.KeyConditionExpression)?.[1];
    const sortKey = sort ?? (input.IndexName === undefined ? String(tableKey.at(-1)) : sortKeyOf(input));
    const isBeyond = (item: Item) => {
      const key = String(item[sortKey]);
      if (first !== undefined && last !== undefined)
        return compareBytes(first, key) <= 0 && compareBytes(key, last) <= 0;
      const order = compareBytes(key, position);
      return beyond === undefined || (beyond === '>' ? order > 0 : order < 0);
    };
    const found = items
      .filter((item) => item[partition] === value && typeof item[sortKey] === 'string' && isBeyond(item))
      .toSorted((one, other) => compareBytes(String(one[sortKey]), String(other[sortKey])));
    const inOrder = input.ScanIndexForward ? found : found.toReversed();
    const keys = [...tableKey, partition, sortKey];
    const keysOf = (item: Item) => Object.fromEntries(keys.map((name) => [name, item[name]]));
    const shown = inOrder.slice(0, input.Limit);
    return { Items: input.IndexName === undefined ? shown : shown.map(keysOf) };
  };

  const batchGet = (input: Item) => {
    const [[tableName, { Keys }] = ['', { Keys: [] }]] = Object.entries(
      input.RequestItems as Record<string, { Keys: Item[] }>,
    );
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
