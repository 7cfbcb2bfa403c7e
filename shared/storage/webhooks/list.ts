import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { ListWebhooks } from '#shared/contracts/webhooks/webhooks.ts';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { type Page, queryPage } from '../common/sorted-query.ts';
import { toWebhookRecord } from './rows.ts';

/** Lists the webhooks of an organization, one page per call. */
export type WebhookLister = (organizationId: OrganizationId, query: ListWebhooks) => Promise<Page<WebhookRecord>>;

/** Lists webhooks by their ids, which begin with the time of their creation: the oldest first. */
export function webhookLister(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string): WebhookLister {
  return async (organizationId, { cursor, limit }) => {
    const { results, cursor: next } = await queryPage(documents, {
      name: ['webhooks'],
      tableName,
      partition: [attributeNames.organizationId, organizationId],
      sortKey: attributeNames.webhookId,
      direction: 'asc',
      cursor,
      limit,
    });
    return { results: results.map(toWebhookRecord), cursor: next };
  };
}
