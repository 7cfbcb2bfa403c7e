import { createHmac } from 'node:crypto';
import type { ConnectionSecret } from '#shared/contracts/platforms/connection.ts';
import { isEqual } from '../equal.ts';
import { elementsOf, isRecent } from '../header-signature.ts';
import type { SignedRequest } from '../platform.ts';

const toleranceMs = 5 * 60_000;

/** True if `Whereby-Signature: t=<seconds>,v1=<hex>` is the HMAC of `<t>.<body>`. */
export function isAuthentic({ headers, rawBody }: SignedRequest, { value }: ConnectionSecret, now: Date): boolean {
  const elements = new Map(elementsOf(headers['whereby-signature']));
  const time = elements.get('t') ?? '';
  if (!isRecent(time, now, toleranceMs)) return false;
  return isEqual(
    elements.get('v1') ?? '',
    createHmac('sha256', value).update(`${time}.`).update(rawBody).digest('hex'),
  );
}
