import { type DynamoDBDocumentClient, GetCommand, paginateQuery, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import type { WebhookCreation } from '#shared/use-cases/webhooks/ports.ts';
import { isLostRace } from '../common/lost-race.ts';
import { toWebhookRecord } from './rows.ts';

type Tables = { readonly webhooks: string; readonly rateLimits: string };

const Creations = z.object({ creations: z.int() });

/**
 * The item that counts how many webhooks an organization has ever created. It stands beside the organization's points, not among its
 * webhooks, so that every item of a partition of webhooks is one. If it is lost, it begins again: it only has to change.
 */
function creationsKey(organizationId: OrganizationId) {
  return { [attributeNames.organizationId]: organizationId, [attributeNames.minute]: 'webhooks' };
}

/**
 * Implements `WebhookCreation` with DynamoDB. The webhooks themselves are counted, so that no count can differ from them, and
 * creations of an organization exclude each other.
 */
export function webhookCreation(documents: DynamoDBDocumentClient, { webhooks, rateLimits }: Tables): WebhookCreation {
  const all = async (organizationId: OrganizationId): Promise<WebhookRecord[]> => {
    const query = {
      TableName: webhooks,
      KeyConditionExpression: `${attributeNames.organizationId} = :organizationId`,
      ExpressionAttributeValues: { ':organizationId': organizationId },
      ConsistentRead: true,
    };
    const found: WebhookRecord[] = [];
    for await (const { Items = [] } of paginateQuery({ client: documents }, query))
      found.push(...Items.map(toWebhookRecord));
    return found;
  };

  return {
    async count(organizationId) {
      const Key = creationsKey(organizationId);
      // Read before the webhooks: one that is created between both then fails the creation.
      const { Item } = await documents.send(new GetCommand({ TableName: rateLimits, Key, ConsistentRead: true }));
      const creations = Item ? Creations.parse(Item).creations : 0;
      return { creations, webhooks: await all(organizationId) };
    },

    async create(webhook, { creations }) {
      const put = {
        TableName: webhooks,
        Item: webhook,
        ConditionExpression: `attribute_not_exists(${attributeNames.webhookId})`,
      };
      const count = {
        TableName: rateLimits,
        Key: creationsKey(webhook.organizationId),
        UpdateExpression: 'SET creations = :next',
        ConditionExpression: creations === 0 ? 'attribute_not_exists(creations)' : 'creations = :asRead',
        ExpressionAttributeValues: { ':next': creations + 1, ...(creations > 0 && { ':asRead': creations }) },
      };
      try {
        await documents.send(new TransactWriteCommand({ TransactItems: [{ Put: put }, { Update: count }] }));
        return true;
      } catch (error) {
        if (isLostRace(error)) return false;
        throw error;
      }
    },
  };
}
