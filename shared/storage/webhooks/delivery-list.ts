import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { noticeDays } from '../../contracts/notice-version.ts';
import type { ListDeliveries } from '../../contracts/webhooks.ts';
import type { DeliveryRecord, WebhookKey } from '../../domain/webhook.ts';
import { attributeNames } from '../../names.ts';
import { afterAllTimes } from '../keys.ts';
import { type Page, queryPage } from '../sorted-query.ts';
import { deliveriesOf, toDeliveryRecord } from './rows.ts';

const keptMs = noticeDays * 24 * 60 * 60 * 1000;

/** Lists the deliveries of a webhook, one page per call. */
export type DeliveryLister = (webhook: WebhookKey, query: ListDeliveries) => Promise<Page<DeliveryRecord>>;

/** Lists deliveries by the time of their notices, the latest first. */
export function deliveryLister(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
  now: () => number = Date.now,
): DeliveryLister {
  return async (webhook, { cursor, limit }) => {
    const { results, cursor: next } = await queryPage(documents, {
      name: ['webhook-deliveries', webhook.webhookId],
      tableName,
      partition: [attributeNames.organizationWebhook, deliveriesOf(webhook)],
      sortKey: attributeNames.deliveryKey,
      range: [new Date(now() - keptMs).toISOString(), afterAllTimes], // DynamoDB deletes expired items up to days late
      direction: 'desc',
      cursor,
      limit,
    });
    return { results: results.map(toDeliveryRecord), cursor: next };
  };
}
