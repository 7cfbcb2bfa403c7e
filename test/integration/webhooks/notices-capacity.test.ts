import { randomUUID } from 'node:crypto';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebhookRunMessage } from '#shared/contracts/messages.ts';
import { noticeOf, type OrganizationNotice } from '#shared/domain/notices/notice.ts';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { noticePut } from '#shared/storage/notices/notice-put.ts';
import { noticeRepository } from '#shared/storage/notices/notices.ts';
import { deliveryRepository } from '#shared/storage/webhooks/deliveries.ts';
import { dueWebhooks, webhookDueShard } from '#shared/storage/webhooks/due.ts';
import { keptWebhooks } from '#shared/storage/webhooks/kept-webhooks.ts';
import { webhookReplays } from '#shared/storage/webhooks/replays.ts';
import { webhookKey } from '#shared/storage/webhooks/rows.ts';
import { webhookRuns } from '#shared/storage/webhooks/runs.ts';
import { planDeliveries } from '#shared/use-cases/webhooks/plan-deliveries.ts';
import { relayNotices } from '#shared/use-cases/webhooks/relay-notices.ts';
import { replayNotices } from '#shared/use-cases/webhooks/replay-notices.ts';
import { runWebhook } from '#shared/use-cases/webhooks/run-webhook.ts';
import { documented } from '../../support/docs/documented-consumption.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { endpoints } from '../../support/machine.ts';
import { organizationId } from '../../support/operations/records.ts';
import { type Consumption, capacityMeter } from '../../support/storage/capacity-meter.ts';
import { copyOfTable } from '../../support/storage/table-copies.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const meter = capacityMeter({ region: endpoints.region, credentials, endpoint: endpoints.dynamodbUrl });
const { documents, measure } = meter;
/** Tables of their own: the service's workers would relay and deliver what is in its tables. */
const tables = {
  notices: await copyOfTable('notices'),
  webhooks: await copyOfTable('webhooks'),
  deliveries: await copyOfTable('webhookDeliveries'),
};
const notices = noticeRepository(documents, tables.notices);
const deliveries = deliveryRepository(documents, tables.deliveries);
const nothing = async () => {};
/** As long as a Cognito client id: the cost of an item depends on the length of its names. */
const owner = organizationId('7fk2m0q1v9c3x8z5b4n6j1h2g0');
const day = 24 * 3_600_000;

beforeEach(() => {
  captureLogLines();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const dueAt = '2026-03-01T10:00:00.000Z';

async function addWebhook(facts: Partial<WebhookRecord> = {}): Promise<WebhookRecord> {
  const webhook: WebhookRecord = {
    ...facts,
    ...{ organizationId: owner, webhookId: randomUUID(), url: 'https://hooks.example.com/roomscribe' },
    ...{ description: 'transcripts into the CRM', signature: 'standard', state: 'enabled', secretVersion: 1 },
    createdAt: new Date(Date.now() - day).toISOString(),
  };
  const dueShard = webhook.dueAt && webhookDueShard(webhook);
  const Item = { ...webhookKey(webhook), ...webhook, dueShard };
  await documents.send(new PutCommand({ TableName: tables.webhooks, Item }));
  return webhook;
}

/** Stores notices as the transactions of changes do. */
async function tell(count: number): Promise<OrganizationNotice[]> {
  const told = Array.from({ length: count }, (_, index) => {
    const roomSessionId = randomUUID();
    const createdAt = new Date(Date.now() - count + index);
    const data = { revision: 1, roomSessionId, roomName: '/team/standup', startedAt: createdAt.toISOString() };
    return noticeOf(owner, 'room.session.started', { kind: 'session', id: roomSessionId }, data, createdAt);
  });
  for (const notice of told)
    await documents.send(new TransactWriteCommand({ TransactItems: [noticePut(tables.notices, notice)] }));
  return told;
}

/** A function that has just started: it remembers no webhooks. */
function planner(sent: WebhookRunMessage[] = []) {
  const startedAt = new Date(); // no time passes: the webhooks are read again for each notice that is so new
  const webhooks = keptWebhooks(documents, tables.webhooks, { now: () => startedAt });
  const sendRuns = async (_: unknown, messages: readonly WebhookRunMessage[]) => void sent.push(...messages);
  return (notice: OrganizationNotice) => planDeliveries({ webhooks, deliveries, sendRuns }, notice);
}

/** Runs of the webhook until no message asks for one now. The receiver answers every call in the same way. */
async function run(message: WebhookRunMessage, succeeded = true): Promise<number> {
  const messages = [message];
  let runs = 0;
  const answer = { answerCode: succeeded ? 204 : 500, latencyMs: 80 };
  for (const next of messages) {
    runs += 1;
    await runWebhook(
      {
        ...{ deliveries, notices, runs: webhookRuns(documents, tables), disableDays: 7, random: () => 0.5 },
        secret: { read: async () => 'a secret of the stage' },
        slowPlaces: { take: async () => undefined, free: nothing },
        caller: {
          refusalOf: () => undefined,
          call: async () =>
            succeeded
              ? { ...answer, succeeded, failure: null }
              : { ...answer, succeeded, failure: { code: 'answer_not_2xx', message: '' } },
        },
        report: () => {},
        sendRuns: async (_, more, { delaySeconds = 0 } = {}) => void (delaySeconds === 0 && messages.push(...more)),
      },
      next,
    );
  }
  return runs;
}

test('notices and deliveries consume the capacity that docs/consumption.json states', async () => {
  const measured: Record<string, Consumption> = {};
  const costs = async (name: string, work: () => Promise<unknown>) => {
    measured[name] = await measure(work);
  };
  const relay = (told: readonly OrganizationNotice[]) => () =>
    relayNotices({ notices, sendEvents: nothing, sendPlans: nothing }, told);
  const first: OrganizationNotice[] = [];
  await costs('tell one, its part of a transaction', async () => void first.push(...(await tell(1))));
  await costs('relay one', relay(first));
  await costs('relay ten at once', relay(await tell(10)));
  const plan = planner();
  const [one] = await tell(1);
  if (!one) throw new Error('A notice was told.');
  await costs('plan one, without a webhook', () => plan(one));

  const webhook = await addWebhook();
  const sent: WebhookRunMessage[] = [];
  const planAll = planner(sent);
  const [alone, ...others] = await tell(11);
  if (!alone) throw new Error('A notice was told.');
  await costs('plan one, for one webhook', () => planAll(alone));
  const [message] = sent;
  if (!message) throw new Error('A run is asked for.');
  await costs('deliver one', () => run(message));
  await costs('plan ten of an organization, for one webhook', async () => {
    for (const notice of others) await planAll(notice);
  });
  const [, second, ...rest] = sent;
  if (!second) throw new Error('A run is asked for.');
  await costs('deliver ten in one run', () => run(second));
  await costs('nine more messages that name them', async () => {
    for (const each of rest) await run(each);
  });

  const [failing] = await tell(1);
  if (!failing) throw new Error('A notice was told.');
  await planAll(failing);
  await costs('deliver one, in vain', () => run(sent.at(-1) ?? message, false));
  const quiet = await addWebhook({ dueAt });
  await costs('look at a webhook again, for nothing', async () => {
    const { organizationId: ownerOfIt, webhookId: id } = quiet;
    const key = { organizationId: ownerOfIt, webhookId: id };
    await dueWebhooks(documents, tables.webhooks).postpone({ ...key, dueAt }, '2026-03-01T10:05:00.000Z');
    await run(key);
  });
  const replayId = randomUUID();
  const period = { from: new Date(Date.now() - day).toISOString(), to: new Date(Date.now() + day).toISOString() };
  const replay = {
    replayId,
    state: 'running',
    ...period,
    noticeId: null,
    startedAt: period.from,
    updatedAt: period.from,
  };
  const Item = { ...webhookKey(webhook), ...webhook, replay: { ...replay, planned: 0 } };
  await documents.send(new PutCommand({ TableName: tables.webhooks, Item }));
  const { organizationId: organization, webhookId } = webhook;
  const replays = webhookReplays(documents, tables.webhooks);
  await costs('plan a replay of 24', () =>
    replayNotices(
      { replays, notices, deliveries, sendReplays: nothing, sendRuns: nothing },
      { organizationId: organization, webhookId, replayId },
    ),
  );
  expect(measured).toEqual(documented.notices);
});
