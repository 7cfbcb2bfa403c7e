import { paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { attributeNames, dueDeliveries } from '#shared/runtime/names.ts';
import { deliveriesOf, toWebhookRecord } from '#shared/storage/webhooks/rows.ts';
import type { Deployment } from '../erasure/deployment.ts';

/** The webhooks of an organization, the oldest first. Reads with strong consistency. */
export async function webhooksOf(
  { documents, tables }: Deployment,
  organizationId: OrganizationId,
): Promise<readonly WebhookRecord[]> {
  const query = {
    TableName: tables.webhooks,
    KeyConditionExpression: `${attributeNames.organizationId} = :organizationId`,
    ExpressionAttributeValues: { ':organizationId': organizationId },
    ConsistentRead: true,
  };
  const found: WebhookRecord[] = [];
  for await (const { Items = [] } of paginateQuery({ client: documents }, query))
    found.push(...Items.map(toWebhookRecord));
  return found.sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}

/** The most waiting deliveries that are counted. A receiver that is down for days has more than anybody counts. */
const mostCounted = 10_000;

/** How many deliveries of a webhook are still to be made, as a text. It stops to count at ten thousand. */
export async function countWaiting({ documents, tables }: Deployment, webhook: WebhookKey): Promise<string> {
  let count = 0;
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { Count = 0, LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: tables.webhookDeliveries,
        IndexName: dueDeliveries,
        KeyConditionExpression: `${attributeNames.organizationWebhook} = :webhook`,
        ExpressionAttributeValues: { ':webhook': deliveriesOf(webhook) },
        Select: 'COUNT',
        ExclusiveStartKey,
      }),
    );
    count += Count;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined && count < mostCounted);
  return ExclusiveStartKey === undefined ? String(count) : `more than ${count}`;
}
