import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import type { RotatedSecret, Webhook, WebhookTest } from '#shared/contracts/webhooks/webhooks.ts';
import { clientOf, codeOf, issuePaths, type RawAnswer } from '../../support/http/checked-api.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';
import {
  bodyOf,
  changeRow,
  createWebhook,
  forgetKeys,
  pathOf,
  quietUrl,
  receiver,
  rowOf,
  verified,
  webhooksPath,
} from '../../support/webhooks/webhooks.ts';

const acme = organization();
const call = clientOf(acme);
const keyed = (key: string) => ({ 'idempotency-key': key });
const withoutPoints = ({ status, text, headers }: RawAnswer) => [status, text, headers.location];

describe('an Idempotency-Key', () => {
  it('creates one webhook, and each repetition gets the same answer with the secret', async () => {
    const own = organization();
    const [key, body] = [randomUUID(), { url: quietUrl, description: 'first' }];
    const create = (more = {}) =>
      clientOf(own)('POST', webhooksPath, { body: { ...body, ...more }, headers: keyed(key) });

    const first = await create();
    const { webhookId, secret } = bodyOf<Webhook & { secret: string }>(first);
    await clientOf(own)('PATCH', pathOf(webhookId), { body: { description: 'second' } });
    expect(withoutPoints(await create())).toEqual(withoutPoints(first));
    expect((await create({ description: 'third' })).status).toBe(422);
    await clientOf(own)('DELETE', pathOf(webhookId));
    expect(withoutPoints(await create())).toEqual(withoutPoints(first));
    expect(await everythingStored()).not.toContain(secret.slice('whsec_'.length));
  });

  it('finds the webhook of a request whose end was not stored', async () => {
    const own = organization();
    const key = randomUUID();
    const first = await createWebhook(own, {}, keyed(key));
    await forgetKeys(own);
    expect(await createWebhook(own, {}, keyed(key))).toEqual(first);
  });

  it('rotates once, and each repetition gets the same secret', async () => {
    const { webhookId } = await createWebhook(acme);
    const key = randomUUID();
    const rotate = () => call('POST', pathOf(webhookId, '/secret'), { body: {}, headers: keyed(key) });

    const first = await rotate();
    expect(first.status).toBe(200);
    expect(withoutPoints(await rotate())).toEqual(withoutPoints(first));
    await forgetKeys(acme);
    expect(withoutPoints(await rotate())).toEqual(withoutPoints(first));
    expect(await rowOf(acme, webhookId)).toMatchObject({ secretVersion: 2 });
    expect(await everythingStored()).not.toContain(bodyOf<RotatedSecret>(first).secret.slice('whsec_'.length));
  });

  it('of one webhook is refused for another', async () => {
    const [one, other] = [await createWebhook(acme), await createWebhook(acme)];
    const headers = keyed(randomUUID());
    const rotate = ({ webhookId }: Webhook) => call('POST', pathOf(webhookId, '/secret'), { body: {}, headers });
    expect((await rotate(one)).status).toBe(200);
    const refused = await rotate(other);
    expect([refused.status, codeOf(refused)]).toEqual([422, 'idempotency_key_reused']);
    expect(await rowOf(acme, other.webhookId)).toMatchObject({ secretVersion: 1 });
  });
});

describe('rotate-webhook-secret', () => {
  const rotate = async (webhookId: string, body: object = {}) => {
    const answer = await call('POST', pathOf(webhookId, '/secret'), { body });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return bodyOf<RotatedSecret>(answer);
  };

  it('signs with the new secret and the one before, and no longer with older ones', async () => {
    const { url, calls } = await receiver();
    const created = await createWebhook(acme, { url });
    const { webhookId } = created;
    const test = async () => {
      await call('POST', pathOf(webhookId, '/test'));
      const last = calls.at(-1);
      if (!last) throw new Error('The receiver was not called.');
      return (secret: string) => doesVerify(() => verified(secret, last));
    };

    expect((await test())(created.secret)).toBe(true);
    const second = await rotate(webhookId);
    const afterOne = await test();
    expect([created.secret, second.secret].map(afterOne)).toEqual([true, true]);
    const third = await rotate(webhookId, { previousValidForSeconds: 60 });
    const afterTwo = await test();
    expect([created.secret, second.secret, third.secret].map(afterTwo)).toEqual([false, true, true]);
    const shown = bodyOf<Webhook>(await call('GET', pathOf(webhookId)));
    expect(shown.previousSecretExpiresAt).toBe(third.previousSecretExpiresAt);
    await changeRow(acme, webhookId, { previousSecretUntil: '2026-01-01T00:00:00.000Z' });
    const afterItsTime = await test();
    expect([second.secret, third.secret].map(afterItsTime)).toEqual([false, true]);
  });

  it('ends the secret before at once if it is told so', async () => {
    const { url, calls } = await receiver();
    const created = await createWebhook(acme, { url });
    const { secret, previousSecretExpiresAt } = await rotate(created.webhookId, { previousValidForSeconds: 0 });
    await call('POST', pathOf(created.webhookId, '/test'));
    const [last = { headers: {}, body: '' }] = calls;
    expect(previousSecretExpiresAt).toBeNull();
    expect([created.secret, secret].map((each) => doesVerify(() => verified(each, last)))).toEqual([false, true]);
  });

  it.each([-1, 604_801, 1.5, '60', null])('refuses to keep the secret before for %s seconds', async (seconds) => {
    const answer = await call('POST', pathOf(randomUUID(), '/secret'), { body: { previousValidForSeconds: seconds } });
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['previousValidForSeconds']]);
  });
});

describe('test-webhook', () => {
  const test = async (webhookId: string) => {
    const answer = await call('POST', pathOf(webhookId, '/test'));
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return bodyOf<WebhookTest>(answer);
  };

  it('calls the receiver once with a signed body of its own type, and stores nothing', async () => {
    const { url, calls } = await receiver(202);
    const { webhookId, secret } = await createWebhook(acme, { url, signature: 'whereby' });
    const before = await rowOf(acme, webhookId);
    const result = await test(webhookId);

    expect(result).toMatchObject({ webhookId, succeeded: true, answerCode: 202, failure: null });
    expect(calls).toHaveLength(1);
    const [received] = calls;
    if (!received) throw new Error('The receiver was not called.');
    const id = expect.stringMatching(/^ntc_test_[\w-]{22}$/);
    const body = { id, apiVersion: '1.0', createdAt: result.testedAt, type: 'webhook.test', data: { webhookId } };
    expect(verified(secret, received)).toEqual(body);
    expect(received.headers['whereby-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(received.headers['content-type']).toBe('application/json');
    expect(await rowOf(acme, webhookId)).toEqual(before);
    expect(bodyOf(await call('GET', pathOf(webhookId, '/deliveries')))).toEqual({ results: [], cursor: null });
  });

  it('tells what the receiver did wrong, and counts no failure', async () => {
    const { url } = await receiver(500);
    const { webhookId } = await createWebhook(acme, { url });
    const before = await rowOf(acme, webhookId);
    expect(await test(webhookId)).toMatchObject({
      ...{ succeeded: false, answerCode: 500, failure: { code: 'answer_not_2xx' } },
    });
    await call('PATCH', pathOf(webhookId), { body: { description: before?.description } });
    expect(await rowOf(acme, webhookId)).toEqual(before);
  });

  it('is refused for a disabled webhook', async () => {
    const { url, calls } = await receiver();
    const { webhookId } = await createWebhook(acme, { url });
    await call('PATCH', pathOf(webhookId), { body: { state: 'disabled' } });
    const answer = await call('POST', pathOf(webhookId, '/test'));
    expect([answer.status, codeOf(answer), calls]).toEqual([403, 'webhook_is_disabled', []]);
  });

  it('is made thirty times a minute at most, of all webhooks of an organization together', async () => {
    const { url, calls } = await receiver();
    const own = organization();
    const call = clientOf(own);
    const webhooks = [await createWebhook(own, { url }), await createWebhook(own, { url })];
    let refused: RawAnswer | undefined;
    for (let time = 0; time < 65 && !refused; time++) {
      // a minute may end between two of them
      const answer = await call('POST', pathOf(webhooks[time % 2]?.webhookId ?? '', '/test'));
      if (answer.status !== 200) refused = answer;
    }
    expect([refused?.status, refused && codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(refused?.text).toContain('At most 30 tests of all webhooks a minute');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(calls.length).toBeLessThanOrEqual(60);
  });
});

it('no table and no log has a secret or the address of a receiver', async () => {
  const { url } = await receiver(500);
  const path = `canary-${randomUUID()}`;
  const created = await createWebhook(acme, { url: `${url}/${path}?token=${path}` }, keyed(randomUUID()));
  const rotated = bodyOf<RotatedSecret>(
    await call('POST', pathOf(created.webhookId, '/secret'), { body: {}, headers: keyed(randomUUID()) }),
  );
  await call('POST', pathOf(created.webhookId, '/test'));
  await call('PATCH', pathOf(created.webhookId), { body: { url: `${url}/${path}` } });

  const stored = await everythingStored();
  const folder = inject('machine').logFolder;
  const logs = await Promise.all((await readdir(folder)).map((name) => readFile(`${folder}/${name}`, 'utf8')));
  expect(stored).toContain(created.webhookId);
  for (const { secret } of [created, rotated]) {
    expect(stored).not.toContain(secret.slice('whsec_'.length));
    for (const log of logs) expect(log).not.toContain(secret.slice('whsec_'.length));
  }
  for (const log of logs) expect(log).not.toContain(path);
});

function doesVerify(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

/** All rows of the tables in which a secret of a webhook could be, as text. */
async function everythingStored(): Promise<string> {
  const names = ['webhooks', 'idempotencyKeys', 'webhookDeliveries', 'notices', 'rateLimits'];
  const scanned = names.map(async (name) => {
    const texts: string[] = [];
    let ExclusiveStartKey: Record<string, never> | undefined;
    do {
      const page = await dynamodb.send(new ScanCommand({ TableName: endpoints.tables[name], ExclusiveStartKey }));
      texts.push(JSON.stringify(page.Items));
      ExclusiveStartKey = page.LastEvaluatedKey as typeof ExclusiveStartKey;
    } while (ExclusiveStartKey);
    return texts.join('\n');
  });
  return (await Promise.all(scanned)).join('\n');
}
