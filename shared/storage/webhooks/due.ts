import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { WebhookKey } from '#shared/domain/webhooks/webhook.ts';
import type { DueWebhookStore } from '#shared/use-cases/webhooks/delivery-ports.ts';
import { dueItems } from '../common/due-index.ts';
import { dueShard } from '../common/keys.ts';
import { pastConflicts } from '../common/past-conflicts.ts';
import { unlessRefused } from '../common/unless-refused.ts';
import { webhookKey } from './rows.ts';

const DueRow = z.object({ organizationId: OrganizationId, webhookId: z.string(), dueAt: z.string() });

/** The partition of a webhook in the due index. A row has it while it has `dueAt`. */
export function webhookDueShard({ webhookId }: Pick<WebhookKey, 'webhookId'>): string {
  return dueShard(webhookId);
}

/** The webhooks of all organizations by the time of their next run. Only sweep-notices may query them. */
export function dueWebhooks(documents: DynamoDBDocumentClient, TableName: string): DueWebhookStore {
  return {
    async *listDue(now) {
      for await (const item of dueItems(documents, TableName, now)) yield DueRow.parse(item);
    },

    async postpone(due, until) {
      const update = new UpdateCommand({
        TableName,
        Key: webhookKey(due),
        UpdateExpression: 'SET dueAt = :until',
        ConditionExpression: 'dueAt = :dueAt',
        ExpressionAttributeValues: { ':until': until, ':dueAt': due.dueAt },
      });
      await unlessRefused(() => pastConflicts(() => documents.send(update)));
    },
  };
}
