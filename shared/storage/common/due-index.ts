import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { indexNames } from '#shared/runtime/names.ts';
import { dueShards } from './keys.ts';

/**
 * The items of a due index whose date has come, shard by shard, in no particular order of shards. Within a shard the longest overdue
 * comes first. The index spans all organizations, and lags behind its table.
 */
export async function* dueItems(
  documents: DynamoDBDocumentClient,
  tableName: string,
  now: Date,
  shards = dueShards,
): AsyncGenerator<Record<string, unknown>> {
  const first = Math.floor(Math.random() * shards.length); // so that no shard is always last
  for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
    const pages = paginateQuery(
      { client: documents, pageSize: 100 },
      {
        TableName: tableName,
        IndexName: indexNames.byDueAt,
        KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
        ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
      },
    );
    for await (const { Items = [] } of pages) yield* Items;
  }
}
