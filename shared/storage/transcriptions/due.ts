import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { DueStore } from '#shared/use-cases/transcriptions/ports.ts';
import { dueItems } from '../common/due-index.ts';
import { conditional } from './conditional.ts';
import { transcriptionKey } from './keys.ts';

const DueRow = z.object({ organizationId: OrganizationId, transcriptionId: z.string(), dueAt: z.string() });

/** Implements `DueStore` with the due index, the only index that spans organizations. Only the reconciler may query it. */
export function dueTranscriptions(documents: DynamoDBDocumentClient, tableName: string): DueStore {
  const change = async (seen: Parameters<DueStore['postpone']>[0], UpdateExpression: string, values: object = {}) => {
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
    async *listDue(now) {
      for await (const item of dueItems(documents, tableName, now)) yield DueRow.parse(item);
    },

    postpone: (due, dueAt) => change(due, 'SET dueAt = :dueAt', { ':dueAt': dueAt }),

    settle: (due) => change(due, 'REMOVE dueAt, dueShard'),
  };
}
