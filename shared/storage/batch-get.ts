import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { retry, tryAgain } from '../retry.ts';

/** BatchGetItem reads at most 100 keys. */
const maxKeys = 100;
const maxAttempts = 5;
const maxPauseMs = 50;

/** Keys of one table, and whether the read is strongly consistent. */
export type BatchGet = {
  readonly tableName: string;
  readonly keys: readonly Record<string, unknown>[];
  readonly consistent?: boolean;
};

/**
 * Returns the items of at most 100 different keys in no particular order, without the keys that have no item. Reads keys
 * again that DynamoDB leaves unprocessed.
 */
export async function batchGet(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  { tableName, keys, consistent = false }: BatchGet,
): Promise<Record<string, unknown>[]> {
  if (keys.length > maxKeys) throw new Error(`At most ${maxKeys} keys per call, not ${keys.length}.`);
  const items: Record<string, unknown>[] = [];
  let left = keys;
  const getRest = async () => {
    const { Responses = {}, UnprocessedKeys = {} } = await documents.send(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys: [...left], ConsistentRead: consistent } } }),
    );
    items.push(...(Responses[tableName] ?? []));
    left = UnprocessedKeys[tableName]?.Keys ?? [];
    return left.length > 0 ? tryAgain : undefined;
  };
  if (left.length === 0) return items;
  await retry(getRest, {
    maxAttempts,
    maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
    exhausted: 'DynamoDB did not return every item.',
  });
  return items;
}
