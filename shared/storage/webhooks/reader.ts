import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { WebhookStore } from '#shared/use-cases/webhooks/ports.ts';
import { toWebhookRecord, webhookKey } from './rows.ts';

/** Reads webhooks by their keys, for functions that change none. */
export function webhookReader(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  TableName: string,
): Pick<WebhookStore, 'find'> {
  return {
    async find(key) {
      const { Item } = await documents.send(new GetCommand({ TableName, Key: webhookKey(key), ConsistentRead: true }));
      return Item && toWebhookRecord(Item);
    },
  };
}
