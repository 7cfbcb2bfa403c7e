import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { noticeDays } from '#shared/contracts/notices/notice-version.ts';
import type { ListDeliveries } from '#shared/contracts/webhooks/webhooks.ts';
import type { DeliveryRecord, WebhookKey } from '#shared/domain/webhooks/webhook.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { afterAllTimes } from '../common/keys.ts';
import { type Page, positionOf, queryPage, type SortedList } from '../common/sorted-query.ts';
import { deliveriesOf, hasKnownType, toDeliveryRecord } from './rows.ts';

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
    const list: SortedList = {
      name: ['webhook-deliveries', webhook.webhookId],
      tableName,
      partition: [attributeNames.organizationWebhook, deliveriesOf(webhook)],
      sortKey: attributeNames.deliveryKey,
      range: ['0', afterAllTimes],
      direction: 'desc',
      cursor,
      limit,
    };
    const oldest = new Date(now() - keptMs).toISOString(); // DynamoDB deletes expired items up to days late
    if ((positionOf(list) ?? afterAllTimes) <= oldest) return { results: [], cursor: null }; // the deliveries after the cursor have expired meanwhile
    const { results, cursor: next } = await queryPage(documents, { ...list, range: [oldest, afterAllTimes] });
    return { results: results.filter(hasKnownType).map(toDeliveryRecord), cursor: next };
  };
}
