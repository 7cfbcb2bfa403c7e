import { createHmac } from 'node:crypto';
import type { Notice } from '#shared/contracts/notices.ts';
import { webhookHeaders } from '#shared/contracts/webhooks/webhook-headers.ts';
import type { TestNotice } from '#shared/contracts/webhooks/webhooks.ts';
import { secretsOf, type WebhookConfig } from './webhook.ts';

const secretPrefix = 'whsec_';

/** What is signed: a notice as text, and when it is sent. */
type Signed = { readonly id: string; readonly body: string; readonly now: Date };

/** A signature as Standard Webhooks have it. The key is what the secret holds as base64. */
export function standardSignature(secret: string, { id, body, now }: Signed): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signed = `${id}.${secondsOf(now)}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/** A signature as Whereby has it. The key is the text of the secret. */
export function wherebySignature(secret: string, { body, now }: Omit<Signed, 'id'>): string {
  const time = secondsOf(now);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

/**
 * The call that tells a webhook of a notice at a time. The body is the notice alone, and the same bytes in each attempt. It is signed
 * with every secret that is used at that time, the newest first, so that a receiver can change its own at any time of a rotation.
 */
export function webhookCallOf(webhook: WebhookConfig, notice: Notice | TestNotice, stageSecret: string, now: Date) {
  const { id, apiVersion, createdAt, type, data } = notice;
  const body = JSON.stringify({ id, apiVersion, createdAt, type, data });
  const [newest, ...others] = secretsOf(stageSecret, webhook, now);
  const signed = { id, body, now };
  return {
    url: webhook.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Roomscribe/1.0 (+webhooks)',
      [webhookHeaders.id]: id,
      [webhookHeaders.timestamp]: secondsOf(now),
      [webhookHeaders.signature]: [newest, ...others].map((secret) => standardSignature(secret, signed)).join(' '),
      ...(webhook.signature === 'whereby' && { [webhookHeaders.whereby]: wherebySignature(newest, signed) }),
    },
  };
}

function secondsOf(time: Date): string {
  return String(Math.floor(time.getTime() / 1000));
}
