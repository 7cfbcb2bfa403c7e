import { randomUUID } from 'node:crypto';
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Replay } from '#shared/contracts/webhooks/webhooks.ts';
import { noticeOf, type OrganizationNotice } from '#shared/domain/notices/notice.ts';
import type { DeliveryRecord, WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { changesOf } from '#shared/domain/webhooks/webhook-changes.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { indexNames, type QueueName } from '#shared/runtime/names.ts';
import { noticePut } from '#shared/storage/notices/notice-put.ts';
import { webhookRegistry } from '#shared/storage/webhooks/registry.ts';
import { deliveriesOf, toDeliveryRecord, toWebhookRecord, webhookKey } from '#shared/storage/webhooks/rows.ts';
import { dynamodb } from '../../../support/machine.ts';
import type { World } from '../world.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });

/** The queues of notices, in the order in which notices go through them. */
export const noticeQueues = [
  'noticeEvents',
  'deliveryPlans',
  'noticeReplays',
  'webhookRuns',
] as const satisfies QueueName[];

/** Stores a notice of an organization, as a transaction does. */
export async function tell(world: World, organizationId: string, revision = 1): Promise<OrganizationNotice> {
  const owner = OrganizationId.parse(organizationId);
  const roomSessionId = randomUUID();
  const data = { revision, roomSessionId, roomName: '/standup', startedAt: '2026-03-01T09:00:00.000Z' };
  const notice = noticeOf(owner, 'room.session.started', { kind: 'session', id: roomSessionId }, data, world.clock);
  const { Put } = noticePut(world.resources.tables.notices, notice);
  if (!Put) throw new Error('A notice is put.');
  await documents.send(new PutCommand(Put));
  return notice;
}

/** Stores notices of an organization as if each was told some time after the one before, and relayed. Returns their ids. */
export async function tellRelayed(
  world: World,
  organizationId: string,
  { count, stepMs }: { readonly count: number; readonly stepMs: number },
): Promise<string[]> {
  const owner = OrganizationId.parse(organizationId);
  const { notices } = world.resources.tables;
  const rows = Array.from({ length: count }, () => {
    const roomSessionId = randomUUID();
    const data = { revision: 1, roomSessionId, roomName: '/standup', startedAt: '2026-03-01T09:00:00.000Z' };
    const subject = { kind: 'session', id: roomSessionId } as const;
    const notice = noticeOf(owner, 'room.session.started', subject, data, world.clock);
    world.clock = new Date(world.clock.getTime() + stepMs);
    const { dueAt: _at, dueShard: _shard, ...Item } = noticePut(notices, notice).Put?.Item ?? {};
    return { id: notice.id, Item };
  });
  for (const some of chunk(rows, 25)) {
    const requests = some.map(({ Item }) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [notices]: requests } }));
  }
  return rows.map(({ id }) => id);
}

/** Stores a webhook. It was created before all notices. */
export async function register(
  world: World,
  organizationId: string,
  changes: Partial<WebhookRecord> = {},
): Promise<WebhookRecord> {
  const webhookId = randomUUID();
  const webhook: WebhookRecord = {
    ...{ organizationId: OrganizationId.parse(organizationId), webhookId, description: '', signature: 'standard' },
    ...{ url: `https://receiver.example/${webhookId}`, state: 'enabled', secretVersion: 1 },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', ...changes },
  };
  await documents.send(new PutCommand({ TableName: world.resources.tables.webhooks, Item: webhook }));
  return webhook;
}

/** The stored webhook. */
export async function webhookRow(world: World, webhook: WebhookKey): Promise<WebhookRecord> {
  const get = { TableName: world.resources.tables.webhooks, Key: webhookKey(webhook) };
  return toWebhookRecord((await documents.send(new GetCommand(get))).Item);
}

/** Starts a replay, as the endpoint does. */
export async function startReplay(
  world: World,
  webhook: WebhookRecord,
  changes: Partial<Replay> = {},
): Promise<Replay> {
  const startedAt = new Date(world.clock.getTime() + 1).toISOString();
  const replay: Replay = {
    ...{ replayId: randomUUID(), state: 'running', from: '2026-01-01T00:00:00.000Z', to: startedAt, noticeId: null },
    ...{ startedAt, updatedAt: startedAt, planned: 0, ...changes },
  };
  const Item = { ...(await rawRow(world, webhook)), replay };
  await documents.send(new PutCommand({ TableName: world.resources.tables.webhooks, Item }));
  const { organizationId, webhookId } = webhook;
  await world.queues.send('noticeReplays', { organizationId, webhookId, replayId: replay.replayId });
  return replay;
}

/** Enables a webhook as the API does: it forgets the failures. */
export function enableAgain(world: World, webhook: WebhookRecord): Promise<void> {
  return changeWebhook(world, webhook, changesOf({ state: 'enabled' }, world.clock));
}

/** Disables a webhook as the API does. */
export function disableByOwner(world: World, webhook: WebhookRecord): Promise<void> {
  return changeWebhook(world, webhook, changesOf({ state: 'disabled' }, world.clock));
}

/** Changes attributes of a webhook as the API does, and removes those that are undefined. */
export async function changeWebhook(world: World, webhook: WebhookKey, changes: Partial<WebhookRecord>): Promise<void> {
  await webhookRegistry(documents, world.resources.tables.webhooks).change(webhook, changes);
}

async function rawRow(world: World, webhook: WebhookKey): Promise<Record<string, unknown>> {
  const get = { TableName: world.resources.tables.webhooks, Key: webhookKey(webhook) };
  return (await documents.send(new GetCommand(get))).Item ?? {};
}

/** The deliveries of a webhook, by the time of their notices. */
export async function deliveriesTo(world: World, webhook: WebhookKey): Promise<DeliveryRecord[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: world.resources.tables.webhookDeliveries,
      KeyConditionExpression: 'organizationWebhook = :webhook',
      ExpressionAttributeValues: { ':webhook': deliveriesOf(webhook) },
    }),
  );
  return Items.map(toDeliveryRecord);
}

/** The notices of an organization that are not relayed. */
export async function dueNotices(world: World, organizationId: string): Promise<string[]> {
  const due: string[] = [];
  const TableName = world.resources.tables.notices;
  for await (const { Items = [] } of paginateScan({ client: documents }, { TableName, IndexName: indexNames.byDueAt }))
    due.push(...Items.filter((item) => item.organizationId === organizationId).map((item) => String(item.noticeKey)));
  return due;
}

/** Relays new notices, and runs the workers of notices until their queues are empty. The clock stands still. */
export async function runNotices(world: World): Promise<void> {
  for (let rounds = 0, moved = 1; moved > 0; rounds++) {
    if (rounds > 200) throw new Error('The notices do not come to rest.');
    moved = await world.relay();
    for (const queue of noticeQueues) moved += (await world.deliver(queue)).delivered;
  }
}

/** Lets time pass, from one time at which a webhook or a notice is due to the next one, with the sweep and the workers at each. */
export async function passNotices(world: World, { hours }: { readonly hours: number }): Promise<void> {
  const end = world.clock.getTime() + hours * 3_600_000;
  await runNotices(world);
  for (let rounds = 0; ; rounds++) {
    if (rounds > 500) throw new Error('The webhooks do not come to rest.');
    const next = await nextDue(world);
    if (next === undefined || next > end) break;
    // The sweep runs once a minute.
    world.clock = new Date(Math.max(world.clock.getTime(), Math.ceil(next / 60_000) * 60_000));
    await world.sweepNotices();
    await runNotices(world);
  }
  world.clock = new Date(end);
}

async function nextDue(world: World): Promise<number | undefined> {
  const { webhooks, notices } = world.resources.tables;
  const times: number[] = [];
  for (const TableName of [webhooks, notices])
    for await (const { Items = [] } of paginateScan(
      { client: documents },
      { TableName, IndexName: indexNames.byDueAt },
    ))
      times.push(...Items.map(({ dueAt }) => Date.parse(String(dueAt))));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Removes all notices, webhooks and deliveries, and what receivers have got. */
export async function emptyNotices(world: World): Promise<void> {
  const { notices, webhooks, webhookDeliveries } = world.resources.tables;
  const keys = {
    [notices]: ['organizationId', 'noticeKey'],
    [webhooks]: ['organizationId', 'webhookId'],
    [webhookDeliveries]: ['organizationWebhook', 'deliveryKey'],
  };
  for (const [TableName, names] of Object.entries(keys))
    for await (const { Items = [] } of paginateScan({ client: documents }, { TableName }))
      for (const item of Items) {
        const Key = Object.fromEntries(names.map((name) => [name, item[name]]));
        await documents.send(new DeleteCommand({ TableName, Key }));
      }
  world.receivers.forget();
}

/** Removes a webhook, as the endpoint does. */
export async function removeWebhook(world: World, webhook: WebhookKey): Promise<void> {
  await documents.send(new DeleteCommand({ TableName: world.resources.tables.webhooks, Key: webhookKey(webhook) }));
}

/** True if the webhook is stored. */
export async function isStored(world: World, webhook: WebhookKey): Promise<boolean> {
  return Object.keys(await rawRow(world, webhook)).length > 0;
}
