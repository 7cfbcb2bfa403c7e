import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyRange } from '../common/keys.ts';

type Item = Record<string, unknown>;

/** A range of the keys of one owner, from its first key on or from its last key back. */
export type FactQuery = {
  readonly owner: string;
  readonly range: KeyRange;
  readonly consistent: boolean;
  readonly isBackward?: boolean;
  /** The index to read, and its sort key. By default, the table. */
  readonly index?: { readonly name: string; readonly sortKey: string };
};

/** Items of a query, and the position after them; undefined if no item follows. */
export type FactPage = { readonly items: readonly Item[]; readonly next?: Item | undefined };

/** Queries the table of facts. */
export function factQueries(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string) {
  /** Reads one page of up to 1 MB, of at most `limit` items, after a position. */
  const page = async (
    { owner, range: [first, last], consistent, isBackward = false, index }: FactQuery,
    { limit, after }: { readonly limit?: number; readonly after?: Item | undefined } = {},
  ): Promise<FactPage> => {
    const { Items: items = [], LastEvaluatedKey: next } = await documents.send(
      new QueryCommand({
        TableName: tableName,
        ...(index && { IndexName: index.name }),
        KeyConditionExpression: `factOwner = :owner AND ${index?.sortKey ?? 'factKey'} BETWEEN :first AND :last`,
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

  return { each, page };
}
