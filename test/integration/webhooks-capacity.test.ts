import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { ListNotices } from '#shared/contracts/notices.ts';
import { ListDeliveries, ListWebhooks } from '#shared/contracts/webhooks.ts';
import { newReplay, newWebhook } from '#shared/domain/webhook-changes.ts';
import { noticeFinder, noticeLister } from '#shared/storage/notice-list.ts';
import { webhookCreation } from '#shared/storage/webhooks/creation.ts';
import { deliveryLister } from '#shared/storage/webhooks/delivery-list.ts';
import { webhookLister } from '#shared/storage/webhooks/list.ts';
import { webhookRegistry } from '#shared/storage/webhooks/registry.ts';
import { capacityMeter } from '../support/capacity-meter.ts';
import { documentedFigures } from '../support/documented-units.ts';
import { eventually } from '../support/eventually.ts';
import { dynamodb, endpoints } from '../support/machine.ts';
import { organizationId } from '../support/records.ts';
import { quietUrl, sessionNotice, storeDelivery, storeNotices } from '../support/webhooks.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const table = (name: string) => String(endpoints.tables[name]);
const hourMs = 3_600_000;

async function waitingToBeRelayed(organizationId: string): Promise<unknown[]> {
  const query = {
    TableName: table('notices'),
    KeyConditionExpression: 'organizationId = :id',
    ExpressionAttributeValues: { ':id': organizationId },
    ConsistentRead: true,
  };
  const { Items = [] } = await DynamoDBDocumentClient.from(dynamodb).send(new QueryCommand(query));
  return Items.filter(({ dueAt }) => dueAt !== undefined);
}

test('webhooks and notices consume the units that docs/access-patterns.md states', async () => {
  const meter = capacityMeter({ region: endpoints.region, credentials, endpoint: endpoints.dynamodbUrl });
  const { documents } = meter;
  const acme = organizationId(`acme-${randomUUID().slice(0, 4)}`);
  const now = new Date();
  const creation = webhookCreation(documents, { webhooks: table('webhooks'), rateLimits: table('rateLimits') });
  const registry = webhookRegistry(documents, table('webhooks'));
  const measured: Record<string, readonly [reads: number, writes: number, calls: number]> = {};
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const { reads, writes, calls } = await meter.measure(work);
    measured[name] = [reads, writes, calls];
  };
  const next = (organizationId = acme) => {
    const body = { url: quietUrl, description: 'Minutes of the board', signature: 'standard' } as const;
    return newWebhook(organizationId, body, { webhookId: randomUUID(), creationId: randomUUID(), now });
  };
  for (let index = 0; index < 9; index++) await creation.create(next(), await creation.count(acme));
  const webhook = next();

  await measure('create the tenth webhook', async () => creation.create(webhook, await creation.count(acme)));
  await measure('read a webhook', () => registry.find(webhook));
  await measure('list ten webhooks', () =>
    webhookLister(documents, table('webhooks'))(acme, ListWebhooks.parse({ limit: '10' })),
  );
  await measure('change a webhook', () => registry.change(webhook, { description: 'Another', parkedUntil: undefined }));
  const rotation = {
    secretVersion: 2,
    previousSecretUntil: now.toISOString(),
    rotationId: randomUUID(),
    rotatedAt: now.toISOString(),
  };
  await measure('rotate its secret', () => registry.rotate(webhook, rotation));
  const replay = newReplay({ from: now.toISOString() }, { replayId: randomUUID(), now });
  await measure('start a replay', () => registry.startReplay(webhook, replay, now));

  const notices = Array.from({ length: 50 }, (_, index) =>
    sessionNotice(acme, new Date(now.getTime() - index * hourMs).toISOString()),
  );
  await storeNotices(acme, notices);
  await eventually(async () => expect(await waitingToBeRelayed(acme)).toEqual([])); // what relays them makes them smaller
  for (const notice of notices) await storeDelivery(acme, webhook.webhookId, notice);
  const [first] = notices;
  if (!first) throw new Error('There are no notices.');
  await measure('look for a notice', () => noticeFinder(documents, table('notices')).exists(acme, first));
  const limit = '50';
  await measure('list 50 notices', () => noticeLister(documents, table('notices'))(acme, ListNotices.parse({ limit })));
  await measure('list 50 deliveries', () =>
    deliveryLister(documents, table('webhookDeliveries'))(webhook, ListDeliveries.parse({ limit })),
  );
  const quiet = next(organizationId(`quiet-${randomUUID().slice(0, 4)}`)); // the notices made the other webhooks due
  await creation.create(quiet, await creation.count(quiet.organizationId));
  await measure('delete a webhook', () => registry.remove(quiet));

  const documented = await Promise.all(
    Object.keys(measured).map(async (name) => [name, await documentedFigures(name, 3)] as const),
  );
  expect(measured).toEqual(Object.fromEntries(documented));
  expect(meter.calls.filter(({ input }) => 'FilterExpression' in input)).toEqual([]);
});
