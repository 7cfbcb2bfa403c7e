import { createHmac } from 'node:crypto';
import type { ConnectionSecret } from '#shared/contracts/platforms/connection.ts';
import { isEqual } from '../equal.ts';
import type { SignedRequest } from '../platform.ts';

const toleranceMs = 10 * 60_000;
/** Daily does not state the unit of its timestamp. A number of this size is in milliseconds: in seconds, it would be the year 5138. */
const leastMilliseconds = 1e11;

/** True if `X-Webhook-Signature` is the HMAC of `<X-Webhook-Timestamp>.<body>` with the secret, which Daily keeps in base64. */
export function isAuthentic({ headers, rawBody }: SignedRequest, { value }: ConnectionSecret, now: Date): boolean {
  const timestamp = headers['x-webhook-timestamp'] ?? '';
  if (!/^\d{1,15}(\.\d{1,9})?$/.test(timestamp)) return false;
  const number = Number(timestamp);
  const sentAt = number >= leastMilliseconds ? number : number * 1000;
  if (Math.abs(now.getTime() - sentAt) > toleranceMs) return false;
  const hmac = createHmac('sha256', Buffer.from(value, 'base64')).update(`${timestamp}.`).update(rawBody);
  return isEqual(headers['x-webhook-signature'] ?? '', hmac.digest('base64'));
}

/** True for what Daily sends when a webhook is created: an object with `test` and no `type`. It is not signed. */
export function isProbe({ rawBody }: SignedRequest): boolean {
  try {
    const body: unknown = JSON.parse(rawBody.toString());
    return typeof body === 'object' && body !== null && 'test' in body && !('type' in body);
  } catch {
    return false;
  }
}
