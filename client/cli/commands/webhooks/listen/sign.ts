import { createHmac, randomBytes } from 'node:crypto';
import { webhookHeaders } from '../../../../contract.ts';

const prefix = 'whsec_';

/** A new secret, as the service makes them. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Whether a text is a secret of Standard Webhooks: the prefix, and 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}

/** The headers with which the service signs a webhook. With `isWhereby`, also that of Whereby. */
export function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  { secret, isWhereby }: { readonly secret: string; readonly isWhereby: boolean },
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(Date.now() / 1000);
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(timestamp),
    [webhookHeaders.signature]: `v1,${hmac(key, `${id}.${timestamp}.${body}`).digest('base64')}`,
    ...(isWhereby && {
      [webhookHeaders.whereby]: `t=${timestamp},v1=${hmac(secret, `${timestamp}.${body}`).digest('hex')}`,
    }),
  };
}
