import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import type { WebhookReader } from '#shared/use-cases/webhooks/delivery-ports.ts';
import { toWebhookRecord } from './rows.ts';

/** For how long the webhooks of an organization are used for notices of before they were read. */
const keptMs = 5_000;
/** How far the clock of whoever made a notice may be behind. */
const clocksDifferMs = 1_000;
/** More organizations than one function serves in five seconds. */
const maxKept = 1_000;

/**
 * Reads the webhooks of organizations, and keeps them for five seconds: what a webhook is parked for changes. They are read again for a
 * notice that was made later than a second before they were read, so that no webhook misses one because it is new.
 */
export function keptWebhooks(
  documents: DynamoDBDocumentClient,
  TableName: string,
  { now = () => new Date() }: { readonly now?: () => Date } = {},
): WebhookReader {
  const kept = new Map<string, { readonly readAt: Date; readonly webhooks: readonly WebhookRecord[] }>();
  return {
    async listOf(organizationId, asOf) {
      const known = kept.get(organizationId);
      const isKept = known !== undefined && now().getTime() - known.readAt.getTime() < keptMs;
      if (isKept && known.readAt.getTime() >= Date.parse(asOf) + clocksDifferMs) return known.webhooks;
      const readAt = now();
      const query = {
        TableName,
        KeyConditionExpression: `${attributeNames.organizationId} = :organizationId`,
        ExpressionAttributeValues: { ':organizationId': organizationId },
        ConsistentRead: true,
      };
      const webhooks: WebhookRecord[] = [];
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        webhooks.push(...Items.map(toWebhookRecord));
      kept.delete(organizationId); // so that the order of the map is that of the reads
      kept.set(organizationId, { readAt, webhooks });
      if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '');
      return webhooks;
    },
  };
}
