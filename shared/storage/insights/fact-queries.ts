import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyRange } from '../keys.ts';

type Item = Record<string, unknown>;

/** A range of the keys of one owner, from its first key on or from its last key back. */
export type FactQuery = {
  readonly owner: string;
  readonly range: KeyRange;
  readonly consistent: boolean;
  readonly isBackward?: boolean;
};

/** Items of a query, and the position after them; undefined if no item follows. */
export type FactPage = { readonly items: readonly Item[]; readonly next?: Item | undefined };

/** Reads items of the table of facts. */
export type FactQueries = ReturnType<typeof factQueries>;

/** Queries the table of facts. */
export function factQueries(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string) {
  /** Reads one page of up to 1 MB, of at most `limit` items, after a position. */
  const page = async (
    { owner, range: [first, last], consistent, isBackward = false }: FactQuery,
    { limit, after }: { readonly limit?: number; readonly after?: Item | undefined } = {},
  ): Promise<FactPage> => {
    const { Items: items = [], LastEvaluatedKey: next } = await documents.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'factOwner = :owner AND factKey BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':owner': owner, ':first': first, ':last': last },
        ConsistentRead: consistent,
        ...(isBackward && { ScanIndexForward: false }),
        ...(limit !== undefined && { Limit: limit }),
        ...(after && { ExclusiveStartKey: after }),
      }),
    );
    return { items, next };
  };

  /** Reads all items, one page at a time. */
  async function* each(query: FactQuery): AsyncGenerator<Item> {
    let after: Item | undefined;
    do {
      const { items, next } = await page(query, { after });
      yield* items;
      after = next;
    } while (after);
  }

  /** Continues to read until there are `limit` items, or all. `parse` takes what is needed of an item, so that no page stays in memory. */
  const upTo = async <Parsed>(
    query: FactQuery,
    limit: number,
    parse: (item: Item) => Parsed,
    begun: { readonly read: readonly Parsed[]; readonly next?: Item | undefined } = { read: [] },
  ): Promise<Parsed[]> => {
    const all = [...begun.read];
    let after = begun.next;
    do {
      const { items, next } = await page(query, { limit: limit - all.length, after });
      all.push(...items.map(parse));
      after = next;
    } while (after && all.length < limit);
    return all;
  };

  return { page, each, upTo };
}
