import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { type WebhookKey, type WebhookRecord, webhookSecret } from '#shared/domain/webhooks/webhook.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { dynamodb, organization } from '../../support/machine.ts';
import type { Outcome } from '../support/api-call.ts';
import { answer } from '../support/notices/fake-receivers.ts';
import {
  emptyNotices,
  isStored,
  passNotices,
  register,
  runNotices,
  tell,
  webhookRow,
} from '../support/notices/notices.ts';
import { webhookStageSecret, webhooksPerOrganization } from '../support/notices/webhook-functions.ts';
import { type FaultPlan, killAt, meanwhileAt, pointsOfDeath } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world } = await useWorld();
const { receivers } = world;
const documents = DynamoDBDocumentClient.from(dynamodb);

beforeEach(async () => {
  world.clock = new Date('2026-03-01T10:00:00.000Z');
  await emptyNotices(world);
});
/** No session has these notices, which the invariants would find. */
afterEach(() => emptyNotices(world));

const url = 'https://receiver.example/';
const create = (organizationId: string, idempotencyKey: string, plan?: FaultPlan) =>
  world.api('createWebhook', { organizationId, idempotencyKey, body: { url } }, plan);
const rotate = (webhook: WebhookKey, idempotencyKey: string, plan?: FaultPlan) =>
  world.api('rotateWebhookSecret', { ...keyOf(webhook), idempotencyKey, body: {} }, plan);
const update = (webhook: WebhookKey, body: object, plan?: FaultPlan) =>
  world.api('updateWebhook', { ...keyOf(webhook), body }, plan);

function keyOf({ organizationId, webhookId }: WebhookKey) {
  return { organizationId, webhookId };
}

function answered(outcome: Outcome): Exclude<Outcome, 'killed'> & { body: Readonly<Record<string, unknown>> } {
  if (outcome === 'killed') throw new Error('The process was not expected to die.');
  return outcome as never;
}

async function webhooksOf(organizationId: string): Promise<string[]> {
  const outcome = answered(await world.api('listWebhooks', { organizationId }));
  return (outcome.body.results as { readonly webhookId: string }[]).map(({ webhookId }) => webhookId);
}

/** The time limit of a process that died passes, so that its key can be used again. */
async function releaseKeys(organizationId: string): Promise<void> {
  const TableName = world.resources.tables.idempotencyKeys;
  const query = {
    KeyConditionExpression: 'organizationId = :id',
    ExpressionAttributeValues: { ':id': organizationId },
  };
  const { Items = [] } = await documents.send(new QueryCommand({ TableName, ...query }));
  for (const { operationKey } of Items.filter(({ status }) => status === 'INPROGRESS'))
    await documents.send(
      new UpdateCommand({
        TableName,
        Key: { organizationId, operationKey },
        UpdateExpression: 'SET in_progress_expiration = :past',
        ExpressionAttributeValues: { ':past': 1 },
      }),
    );
}

/** Runs a call in a process that dies at each of its calls to AWS in turn, and then `check` for that death. */
async function wherever<Subject>(
  make: () => Promise<Subject>,
  call: (subject: Subject, plan?: FaultPlan) => Promise<Outcome>,
  check: (subject: Subject, what: string) => Promise<void>,
): Promise<void> {
  await call(await make());
  const deaths = pointsOfDeath(world.lastCalls.length);
  expect(deaths.length).toBeGreaterThan(1);
  for (const { call: index, when } of deaths) {
    const subject = await make();
    expect(await call(subject, killAt(index, when))).toBe('killed');
    await check(subject, `death ${when} call ${index}`);
  }
}

describe('wherever a process dies', () => {
  test('that creates a webhook, a repetition creates no second one and tells its secret', async () => {
    await wherever(
      async () => ({ organizationId: organization(), key: randomUUID() }),
      ({ organizationId, key }, plan) => create(organizationId, key, plan),
      async ({ organizationId, key }, what) => {
        await releaseKeys(organizationId);
        const { status, body } = answered(await create(organizationId, key));
        expect(status, what).toBe(201);
        const webhookId = String(body.webhookId);
        expect(await webhooksOf(organizationId), what).toEqual([webhookId]);
        const owner = { organizationId: OrganizationId.parse(organizationId), webhookId };
        expect(body.secret, what).toBe(webhookSecret(webhookStageSecret, owner, 1));
        expect(answered(await create(organizationId, key)).body).toEqual(body);
      },
    );
  });

  test('that rotates a secret, a repetition rotates it once, and both secrets are used', async () => {
    await wherever(
      async () => ({ webhook: await register(world, organization()), key: randomUUID() }),
      ({ webhook, key }, plan) => rotate(webhook, key, plan),
      async ({ webhook, key }, what) => {
        const before = await webhookRow(world, webhook);
        expect([1, 2], what).toContain(before.secretVersion);
        expect(before.previousSecretUntil !== undefined, `${what}: version and end are stored together`).toBe(
          before.secretVersion === 2,
        );
        await releaseKeys(webhook.organizationId);
        const { status, body } = answered(await rotate(webhook, key));
        expect([status, body.secret], what).toEqual([200, webhookSecret(webhookStageSecret, webhook, 2)]);
        const row = await webhookRow(world, webhook);
        expect(row, what).toMatchObject({ secretVersion: 2, previousSecretUntil: body.previousSecretExpiresAt });
      },
    );
  });

  test('that enables a webhook, a repetition brings what waited', async () => {
    const failing = { failingSince: '2026-03-01T08:00:00.000Z', failuresInARow: 5, parkings: 4 };
    await wherever(
      async () => {
        await emptyNotices(world);
        world.resources.empty();
        const parked = { ...failing, parkedUntil: '2026-03-01T12:00:00.000Z' };
        const webhook = await register(world, organization(), parked);
        await tell(world, webhook.organizationId);
        await runNotices(world);
        expect(receivers.calls).toEqual([]);
        return webhook;
      },
      (webhook, plan) => update(webhook, { state: 'enabled', url: `${webhook.url}/new` }, plan),
      async (webhook, what) => {
        expect(await update(webhook, { state: 'enabled', url: `${webhook.url}/new` })).toMatchObject({ status: 200 });
        await runNotices(world);
        expect(receivers.idsAt(`${webhook.url}/new`), what).toHaveLength(1);
        expect(await webhookRow(world, webhook), what).not.toHaveProperty('failingSince');
      },
    );
  });

  test('that deletes a webhook, a repetition has deleted it', async () => {
    await wherever(
      () => register(world, organization()),
      (webhook, plan) => world.api('deleteWebhook', keyOf(webhook), plan),
      async (webhook, what) => {
        expect(await world.api('deleteWebhook', keyOf(webhook)), what).toMatchObject({ status: 204 });
        expect(await isStored(world, webhook), what).toBe(false);
      },
    );
  });

  test('that begins a replay, it runs, or another one can begin after an hour', async () => {
    const replay = (webhook: WebhookKey, plan?: FaultPlan) =>
      world.api('replayWebhook', { ...keyOf(webhook), body: { from: '2026-02-20T00:00:00.000Z' } }, plan);
    await wherever(
      async () => {
        await emptyNotices(world);
        world.resources.empty();
        const organizationId = organization();
        await tell(world, organizationId);
        await runNotices(world);
        world.clock = new Date(world.clock.getTime() + 1_000);
        return register(world, organizationId);
      },
      replay,
      async (webhook, what) => {
        await passNotices(world, { hours: 1.1 });
        if (receivers.idsAt(webhook.url).length === 0) {
          expect(answered(await replay(webhook)).status, what).toBe(202);
          await passNotices(world, { hours: 1 });
        }
        expect(receivers.idsAt(webhook.url), what).toHaveLength(1);
        expect(await webhookRow(world, webhook), what).toMatchObject({ replay: { state: 'finished', planned: 1 } });
      },
    );
  });
});

describe('creations at any call of another one', () => {
  test('never exceed the ceiling', async () => {
    const nearlyFull = async () => {
      const organizationId = organization();
      for (let count = 1; count < webhooksPerOrganization; count++) await create(organizationId, randomUUID());
      return organizationId;
    };
    await create(await nearlyFull(), randomUUID());
    for (let call = 1, calls = world.lastCalls.length; call <= calls; call++) {
      const organizationId = await nearlyFull();
      const outcomes: Outcome[] = [];
      const other = async () => void outcomes.push(await create(organizationId, randomUUID()));
      outcomes.push(await create(organizationId, randomUUID(), meanwhileAt(call, other)));
      expect(outcomes.map((outcome) => answered(outcome).status).sort(), `at call ${call}`).toEqual([201, 403]);
      expect(await webhooksOf(organizationId)).toHaveLength(webhooksPerOrganization);
    }
  });

  test('with the same key create one webhook', async () => {
    await create(organization(), 'key');
    for (let call = 1, calls = world.lastCalls.length; call <= calls; call++) {
      const [organizationId, key] = [organization(), randomUUID()];
      await create(
        organizationId,
        key,
        meanwhileAt(call, () => create(organizationId, key)),
      );
      expect(await webhooksOf(organizationId), `at call ${call}`).toHaveLength(1);
    }
  });
});

test('rotations at any call of another one give two secrets, of which the last is the newest', async () => {
  await rotate(await register(world, organization()), randomUUID());
  for (let call = 1, calls = world.lastCalls.length; call <= calls; call++) {
    const webhook = await register(world, organization());
    const secrets: unknown[] = [];
    const other = async () => void secrets.push(answered(await rotate(webhook, randomUUID())).body.secret);
    secrets.push(answered(await rotate(webhook, randomUUID(), meanwhileAt(call, other))).body.secret);
    const expected = [2, 3].map((version) => webhookSecret(webhookStageSecret, webhook, version));
    expect(secrets.sort(), `at call ${call}`).toEqual(expected.sort());
    expect(await webhookRow(world, webhook)).toMatchObject({ secretVersion: 3 });
  }
});

describe('a webhook that is enabled', () => {
  const parked = { failingSince: '2026-03-01T08:00:00.000Z', failuresInARow: 5, parkings: 4 };
  const waiting = async () => {
    const webhook = await register(world, organization(), { ...parked, parkedUntil: '2026-03-01T12:00:00.000Z' });
    for (let count = 0; count < 12; count++) await tell(world, webhook.organizationId);
    await runNotices(world);
    expect(receivers.calls).toEqual([]);
    return webhook;
  };

  test('is called once if the receiver still refuses', async () => {
    const webhook = await waiting();
    receivers.let(webhook.url, answer(503));
    expect(await update(webhook, { state: 'enabled' })).toMatchObject({ status: 200 });
    await runNotices(world);
    expect(receivers.calls).toHaveLength(1);
  });

  test('gets what waited two minutes later if the message for that is lost', async () => {
    const webhook = await waiting();
    expect(await update(webhook, { state: 'enabled' }, killAt(3, 'before'))).toBe('killed');
    expect((await webhookRow(world, webhook)).parkedUntil).toBeUndefined();
    await passNotices(world, { hours: 0.1 });
    expect(receivers.idsAt(webhook.url)).toHaveLength(12);
  });
});

describe('an owner who repairs a webhook at any call of a run that fails', () => {
  const parked = { failingSince: '2026-02-20T10:00:00.000Z', failuresInARow: 5, parkings: 3 };
  const scenes: Readonly<Record<string, [Partial<WebhookRecord>, (webhook: WebhookRecord) => object]>> = {
    'by another address': [{}, (webhook) => ({ url: `${webhook.url}/new` })],
    'by another address, before it is disabled': [parked, (webhook) => ({ url: `${webhook.url}/new` })],
    'by enabling it, before it is parked for the first time': [{}, () => ({ state: 'enabled' })],
    'by enabling it, before it is disabled': [parked, () => ({ state: 'enabled' })],
  };

  test.each(Object.entries(scenes))(
    '%s, has a webhook that is neither parked nor disabled by the run',
    async (_, scene) => {
      const [changes, repair] = scene;
      const planned = async () => {
        await emptyNotices(world);
        world.resources.empty();
        world.clock = new Date('2026-03-01T10:00:00.000Z');
        const webhook = await register(world, organization(), changes);
        await tell(world, webhook.organizationId);
        await world.relay();
        await world.deliver('deliveryPlans');
        receivers.let(webhook.url, answer(503, 7_200));
        return webhook;
      };
      await planned();
      await world.deliver('webhookRuns');
      for (let call = 1, calls = world.lastCalls.length; call <= calls; call++) {
        const webhook = await planned();
        let [calledBefore, wasDisabled] = [0, false];
        const owner = async () => {
          calledBefore = receivers.calls.length;
          wasDisabled = (await webhookRow(world, webhook)).state === 'disabled';
          receivers.let(webhook.url, answer(200));
          expect(await update(webhook, repair(webhook))).toMatchObject({ status: 200 });
        };
        await world.deliver('webhookRuns', meanwhileAt(call, owner));
        await runNotices(world);
        const what = `repaired at call ${call} of ${calls}, after ${calledBefore} calls of the receiver`;
        const row = await webhookRow(world, webhook);
        if (wasDisabled && row.state === 'disabled') continue; // another address enables nothing
        expect(row.state, what).toBe('enabled');
        expect(row.parkedUntil, what).toBeUndefined();
        const accepted = () => receivers.calls.filter((made) => made.isAccepted).map(({ noticeId }) => noticeId);
        if (calledBefore === 0) expect(accepted(), what).toHaveLength(1); // otherwise the receiver has asked for two hours
        const news = await tell(world, webhook.organizationId);
        await runNotices(world);
        expect(accepted(), `${what}: news are delivered at once`).toContain(news.id);
        await passNotices(world, { hours: 5 });
        expect(new Set(accepted()).size, what).toBe(wasDisabled ? 3 : 2); // with the notice that it was disabled
      }
    },
  );
});
