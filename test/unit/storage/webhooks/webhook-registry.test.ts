import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { newReplay, newWebhook } from '#shared/domain/webhooks/webhook-changes.ts';
import { webhookDueShard } from '#shared/storage/webhooks/due.ts';
import { webhookRegistry } from '#shared/storage/webhooks/registry.ts';
import { answering } from '../../../support/client/fake-client.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const now = new Date('2026-03-02T10:00:00.000Z');
const body = { url: 'https://receiver.example/', description: '', signature: 'standard' } as const;
const webhook = newWebhook(organizationId(), body, { webhookId: uuid(1), creationId: 'creation-1', now });
const key = { organizationId: webhook.organizationId, webhookId: webhook.webhookId };
const replay = newReplay({ from: '2026-03-01T00:00:00.000Z' }, { replayId: uuid(2), now });

const refusing = (Item?: object) =>
  answering({}, () => {
    const item = Item && { Item: marshall(Item, { removeUndefinedValues: true }) };
    throw new ConditionalCheckFailedException({ message: 'The condition failed.', $metadata: {}, ...item });
  }).client as never;

describe('startReplay', () => {
  const start = (item?: object) => webhookRegistry(refusing(item), 'webhooks').startReplay(key, replay, now);

  test('tells why it was refused', async () => {
    expect(await start()).toBe('not_found');
    expect(await start({ ...webhook, state: 'disabled', disabledBy: 'owner' })).toBe('disabled');
    expect(await start({ ...webhook, replay: { ...replay, replayId: uuid(3) } })).toBe('in_progress');
  });

  test('has started if the SDK repeated a call whose answer was lost', async () => {
    expect(await start({ ...webhook, replay })).toBe('started');
  });
});

test('a change sets and removes single attributes of a webhook that exists', async () => {
  const { client, calls } = answering({}, () => ({ Attributes: webhook }));
  await webhookRegistry(client as never, 'webhooks').change(key, { state: 'enabled', parkedUntil: undefined });
  expect(calls[0]?.input).toMatchObject({
    UpdateExpression: 'SET #state = :state REMOVE #parkedUntil',
    ConditionExpression: 'attribute_exists(webhookId)',
    ExpressionAttributeValues: { ':state': 'enabled' },
  });
});

test('a change that makes a webhook due adds it to the index of those that are', async () => {
  const { client, calls } = answering({}, () => ({ Attributes: webhook }));
  const dueAt = '2026-03-02T10:02:00.000Z';
  await webhookRegistry(client as never, 'webhooks').change(key, { dueAt });
  expect(calls[0]?.input).toMatchObject({
    UpdateExpression: 'SET #dueAt = :dueAt, #dueShard = :dueShard',
    ExpressionAttributeValues: { ':dueAt': dueAt, ':dueShard': webhookDueShard(key) },
  });
});

test('a webhook that does not exist is neither changed, nor rotated', async () => {
  const registry = webhookRegistry(refusing(), 'webhooks');
  expect(await registry.change(key, { description: 'x' })).toBeUndefined();
  const rotation = {
    secretVersion: 2,
    previousSecretUntil: undefined,
    rotationId: 'r',
    rotatedAt: '2026-03-02T10:00:00.000Z',
  };
  expect(await registry.rotate(webhook, rotation)).toBe(false);
  await expect(registry.failReplay(key, 'r')).resolves.toBeUndefined();
});
