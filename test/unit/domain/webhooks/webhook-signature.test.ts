import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { noticeOf } from '#shared/domain/notices/notice.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook.ts';
import { webhookSecret } from '#shared/domain/webhooks/webhook.ts';
import { standardSignature, webhookCallOf } from '#shared/domain/webhooks/webhook-signature.ts';
import { isAuthentic } from '#shared/platforms/whereby/signature.ts';

const organizationId = OrganizationId.parse('acme');
const webhookId = '11111111-1111-4111-8111-111111111111';
const now = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 900); // the reference library looks at the clock
const stageSecret = 'secret of the stage';
const webhook: WebhookConfig = {
  ...{ organizationId, webhookId, url: 'https://receiver.example/hooks', description: '', signature: 'standard' },
  ...{ state: 'enabled', createdAt: now.toISOString(), secretVersion: 1 },
};
const data = {
  ...{ revision: 1, roomSessionId: webhookId, roomName: '/größe "🎉"', startedAt: now.toISOString() },
};
const notice = noticeOf(organizationId, 'room.session.started', { kind: 'session', id: webhookId }, data, now);
const secretOf = (version: number) => webhookSecret(stageSecret, webhook, version);
const callOf = (changes: Partial<WebhookConfig> = {}, at = now) =>
  webhookCallOf({ ...webhook, ...changes }, notice, stageSecret, at);

test('the signature is that of the example of Standard Webhooks', () => {
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts
  const signature = standardSignature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    ...{ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
    now: new Date(1614265330_000),
  });
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('the reference library verifies a call, and no other body, id, time or secret', () => {
  const { headers, body } = callOf();
  const verifier = new Verifier(secretOf(1));
  expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => verifier.verify(body.replace('größe', 'grösse'), headers)).toThrow();
  expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'ntc_other' })).toThrow();
  const time = String(Number(headers['webhook-timestamp']) + 1);
  expect(() => verifier.verify(body, { ...headers, 'webhook-timestamp': time })).toThrow();
  expect(() => new Verifier(secretOf(2)).verify(body, headers)).toThrow();
});

test('the body is the notice, without the organization, and the same at each attempt', () => {
  const { body, headers, url } = callOf();
  const { organizationId: _, ...told } = notice;
  expect(JSON.parse(body)).toEqual(told);
  expect(url).toBe(webhook.url);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': notice.id });
  expect(headers['webhook-timestamp']).toBe(String(Math.floor(now.getTime() / 1_000)));
  const again = callOf({}, new Date(now.getTime() + 60_000));
  expect(again.body).toBe(body);
  expect(again.headers['webhook-signature']).not.toBe(headers['webhook-signature']);
});

describe('while a secret is rotated', () => {
  const until = (ms: number) => ({ secretVersion: 2, previousSecretUntil: new Date(now.getTime() + ms).toISOString() });

  test('both secrets sign, the newest first', () => {
    const { headers, body } = callOf(until(1));
    for (const version of [1, 2]) expect(() => new Verifier(secretOf(version)).verify(body, headers)).not.toThrow();
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(headers['webhook-signature']?.split(' ')[0]).toBe(callOf({ secretVersion: 2 }).headers['webhook-signature']);
  });

  test('the one before ends at its time', () => {
    const { headers, body } = callOf(until(0));
    expect(() => new Verifier(secretOf(1)).verify(body, headers)).toThrow();
    expect(() => new Verifier(secretOf(2)).verify(body, headers)).not.toThrow();
  });
});

describe("Whereby's signature", () => {
  test('is there only if the webhook asks for it', () => {
    expect(callOf().headers).not.toHaveProperty('whereby-signature');
    expect(callOf({ signature: 'whereby' }).headers).toMatchObject(callOf().headers);
  });

  test('is what a receiver of Whereby verifies, with the newest secret', () => {
    const { headers, body } = callOf({
      ...{ signature: 'whereby', secretVersion: 2 },
      previousSecretUntil: new Date(now.getTime() + 1_000).toISOString(),
    });
    const isValid = (text: string, version: number, at = now) => {
      const secret = { value: secretOf(version), createdAt: now.toISOString() };
      return isAuthentic(
        { headers, rawBody: Buffer.from(text) } as unknown as Parameters<typeof isAuthentic>[0],
        secret,
        at,
      );
    };
    expect(isValid(body, 2)).toBe(true);
    expect(isValid(body, 1)).toBe(false);
    expect(isValid(`${body} `, 2)).toBe(false);
    expect(isValid(body, 2, new Date(now.getTime() + 600_000))).toBe(false);
  });
});
