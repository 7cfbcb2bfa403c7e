import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '../../contracts/organization.ts';
import { indexNames } from '../../names.ts';
import { conditional } from './conditional.ts';
import { dueShards, transcriptionKey } from './keys.ts';

const Due = z.object({ organizationId: OrganizationId, transcriptionId: z.string(), dueAt: z.string() });
/** A transcription, or a tombstone, that is due for a question. */
export type Due = z.infer<typeof Due>;

/** The date that the caller has seen; without one there is nothing to change. */
type Seen = Omit<Due, 'dueAt'> & { readonly dueAt?: string | undefined };

/** What lists the overdue and sets new dates. */
export type DueTranscriptions = ReturnType<typeof dueTranscriptions>;

/** The unfinished transcriptions of all organizations by when they are due: for the reconciler, and for nobody else. */
export function dueTranscriptions(documents: DynamoDBDocumentClient, tableName: string) {
  const change = async (seen: Seen, UpdateExpression: string, values: object = {}) => {
    const { organizationId, transcriptionId, dueAt } = seen;
    if (dueAt === undefined) return;
    await conditional(() =>
      documents.send(
        new UpdateCommand({
          TableName: tableName,
          Key: transcriptionKey(organizationId, transcriptionId),
          UpdateExpression,
          ConditionExpression: 'dueAt = :seen',
          ExpressionAttributeValues: { ':seen': dueAt, ...values },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
  };
  return {
    /** Everything due by now, shard after shard, the longest overdue first in each. */
    async *listDue(now: Date): AsyncGenerator<Due> {
      const first = Math.floor(Math.random() * dueShards.length); // so that no shard is always the last
      for (const shard of [...dueShards.slice(first), ...dueShards.slice(0, first)]) {
        const pages = paginateQuery(
          { client: documents, pageSize: 100 },
          {
            TableName: tableName,
            IndexName: indexNames.byDueAt,
            KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
            ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
          },
        );
        for await (const { Items = [] } of pages) yield* Items.map((item) => Due.parse(item));
      }
    },

    /** Asks again later, unless somebody has set another date meanwhile. */
    postpone: (due: Seen, dueAt: string) => change(due, 'SET dueAt = :dueAt', { ':dueAt': dueAt }),

    /** Never asks again: nothing is left to heal. */
    settle: (due: Seen) => change(due, 'REMOVE dueAt, dueShard'),
  };
}
