import { setTimeout } from 'node:timers/promises';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ServiceUnavailable } from '../errors.ts';

/** BatchGetItem takes 100 keys. */
const maxKeys = 100;
const maxAttempts = 5;
const maxPauseMs = 50;

/** Keys of one table, and how it is to be read. */
export type BatchGet = {
  readonly tableName: string;
  readonly keys: readonly Record<string, unknown>[];
  readonly consistent?: boolean;
};

/**
 * The items under at most 100 different keys, in no order; keys without an item are left out. What DynamoDB leaves
 * unprocessed is asked for again.
 */
export async function batchGet(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  { tableName, keys, consistent = false }: BatchGet,
): Promise<Record<string, unknown>[]> {
  if (keys.length > maxKeys) throw new Error(`At most ${maxKeys} keys at once, not ${keys.length}.`);
  const items: Record<string, unknown>[] = [];
  let left = keys;
  for (let attempt = 1; left.length > 0; attempt++) {
    if (attempt > maxAttempts) throw new ServiceUnavailable('Not every item could be read.');
    const { Responses = {}, UnprocessedKeys = {} } = await documents.send(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys: [...left], ConsistentRead: consistent } } }),
    );
    items.push(...(Responses[tableName] ?? []));
    left = UnprocessedKeys[tableName]?.Keys ?? [];
    if (left.length > 0) await setTimeout(Math.random() * maxPauseMs * attempt);
  }
  return items;
}
