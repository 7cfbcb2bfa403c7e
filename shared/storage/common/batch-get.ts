import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { chunk } from '#shared/runtime/chunk.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';

/** BatchGetItem reads at most 100 keys. */
const maxKeys = 100;
const parallelCalls = 8;
const maxAttempts = 5;
const maxPauseMs = 50;

/** Keys of one table, and whether the read is strongly consistent. */
export type BatchGet = {
  readonly tableName: string;
  readonly keys: readonly Record<string, unknown>[];
  readonly consistent?: boolean;
};

/**
 * Returns the items of different keys in no particular order, without the keys that have no item. Reads keys again that DynamoDB
 * leaves unprocessed. More than 100 keys take several calls.
 */
export async function batchGet(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  { keys, ...options }: BatchGet,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (const parallel of chunk(chunk(keys, maxKeys), parallelCalls)) {
    const read = await Promise.all(parallel.map((some) => getOnce(documents, { ...options, keys: some })));
    items.push(...read.flat());
  }
  return items;
}

async function getOnce(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  { tableName, keys, consistent = false }: BatchGet,
): Promise<Record<string, unknown>[]> {
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
  await retry(getRest, {
    maxAttempts,
    maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
    exhausted: 'DynamoDB did not return every item.',
  });
  return items;
}
