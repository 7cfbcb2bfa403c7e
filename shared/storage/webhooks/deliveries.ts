import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { noticeDays } from '#shared/contracts/notices/notice-version.ts';
import { deliveryKeyOf } from '#shared/domain/webhooks/delivery.ts';
import type { DeliveryRecord, WebhookKey } from '#shared/domain/webhooks/webhook.ts';
import { attributeNames, dueDeliveries } from '#shared/runtime/names.ts';
import type { DeliveryStore } from '#shared/use-cases/webhooks/delivery-ports.ts';
import { batchGet } from '../common/batch-get.ts';
import { afterAllTimes, type KeyRange } from '../common/keys.ts';
import { unlessRefused } from '../common/unless-refused.ts';
import { deliveriesOf, deliveryKey, toDeliveryRecord } from './rows.ts';

const daySeconds = 24 * 60 * 60;
/** Deliveries of replays come after all others. */
const fresh = '0#';
const replayed = '1#';
/** After so many of a replay, those that are new are looked for again. */
const replayedAtOnce = 50;

const KeyRow = z.object({ deliveryKey: z.string(), dueKey: z.string() });

const keysOf = (rows: readonly z.output<typeof KeyRow>[]) => rows.map((row) => row.deliveryKey);

/** When a delivery is due, in the index of those that wait. Undefined for one that does not. */
function dueKeyOf(delivery: DeliveryRecord): string | undefined {
  const { state, nextAttemptAt, replayId } = delivery;
  if (state !== 'waiting' || nextAttemptAt === undefined) return undefined;
  return `${replayId === undefined ? fresh : replayed}${nextAttemptAt}#${deliveryKeyOf(delivery)}`;
}

/** The item of a delivery. It expires thirty days after it was planned. */
function rowOf(delivery: DeliveryRecord): Record<string, unknown> {
  const plannedSeconds = Math.ceil(Date.parse(delivery.plannedAt) / 1000);
  return {
    ...deliveryKey(delivery, deliveryKeyOf(delivery)),
    ...delivery,
    [attributeNames.dueKey]: dueKeyOf(delivery),
    [attributeNames.expiresAt]: plannedSeconds + noticeDays * daySeconds,
  };
}

/** Implements `DeliveryStore` with DynamoDB. */
export function deliveryRepository(documents: DynamoDBDocumentClient, TableName: string): DeliveryStore {
  const put = (delivery: DeliveryRecord, condition: object) =>
    unlessRefused(() => documents.send(new PutCommand({ TableName, Item: rowOf(delivery), ...condition })));

  async function* keysIn(webhook: WebhookKey, [first, last]: KeyRange, pageSize = 100) {
    const query = {
      TableName,
      IndexName: dueDeliveries,
      KeyConditionExpression: `${attributeNames.organizationWebhook} = :webhook AND ${attributeNames.dueKey} BETWEEN :first AND :last`,
      ExpressionAttributeValues: { ':webhook': deliveriesOf(webhook), ':first': first, ':last': last },
    };
    for await (const { Items = [] } of paginateQuery({ client: documents, pageSize }, query))
      if (Items.length > 0) yield Items.map((item) => KeyRow.parse(item));
  }

  const firstDueAt = async (webhook: WebhookKey, prefix: string, except: ReadonlySet<string>) => {
    for await (const rows of keysIn(webhook, [prefix, prefix + afterAllTimes], 25)) {
      const next = rows.find((row) => !except.has(row.deliveryKey));
      if (next) return next.dueKey.split('#')[1];
    }
    return undefined;
  };

  return {
    plan: (delivery) => put(delivery, { ConditionExpression: `attribute_not_exists(${attributeNames.deliveryKey})` }),

    planAgain: (delivery) =>
      put(delivery, {
        ConditionExpression: 'attribute_not_exists(replayId) OR replayId <> :replayId',
        ExpressionAttributeValues: { ':replayId': delivery.replayId },
      }),

    async find(webhook, key) {
      const get = new GetCommand({ TableName, Key: deliveryKey(webhook, key), ConsistentRead: true });
      const { Item } = await documents.send(get);
      return Item && toDeliveryRecord(Item);
    },

    async findAll(webhook, keys) {
      const rows = keys.map((key) => deliveryKey(webhook, key));
      const items = await batchGet(documents, { tableName: TableName, keys: rows, consistent: true });
      return items.map(toDeliveryRecord);
    },

    async *listDue(webhook, now) {
      const rangeOf = (prefix: string): KeyRange => [prefix, `${prefix}${now().toISOString()}${afterAllTimes}`];
      for await (const rows of keysIn(webhook, rangeOf(fresh))) yield keysOf(rows);
      for await (const rows of keysIn(webhook, rangeOf(replayed), replayedAtOnce)) {
        yield keysOf(rows);
        for await (const newer of keysIn(webhook, rangeOf(fresh))) yield keysOf(newer);
      }
    },

    async *listWaiting(webhook) {
      for await (const rows of keysIn(webhook, [fresh, replayed + afterAllTimes])) yield keysOf(rows);
    },

    async nextDueAt(webhook, except) {
      const times = await Promise.all([fresh, replayed].map((prefix) => firstDueAt(webhook, prefix, except)));
      return times.filter((time) => time !== undefined).sort()[0];
    },

    async store(before, after) {
      const isSameReplay = before.replayId === undefined ? 'attribute_not_exists(replayId)' : 'replayId = :replayId';
      return put(after, {
        ConditionExpression: `attempts = :attempts AND #state = :waiting AND ${isSameReplay}`,
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: {
          ':attempts': before.attempts,
          ':waiting': 'waiting',
          ...(before.replayId !== undefined && { ':replayId': before.replayId }),
        },
      });
    },

    giveUp: (webhook, key, { failureCode, plannedUntil }) =>
      unlessRefused(() =>
        documents.send(
          new UpdateCommand({
            TableName,
            Key: deliveryKey(webhook, key),
            UpdateExpression:
              'SET #state = :failed, failureCode = :failureCode REMOVE dueKey, nextAttemptAt, answerCode, latencyMs',
            ConditionExpression: '#state = :waiting AND plannedAt <= :plannedUntil',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: {
              ...{ ':failed': 'failed', ':waiting': 'waiting', ':failureCode': failureCode },
              ':plannedUntil': plannedUntil.toISOString(),
            },
          }),
        ),
      ),
  };
}
