import { createHmac } from 'node:crypto';
import type { ConnectionSecret } from '#shared/contracts/platforms/connection.ts';
import { isEqual } from '../equal.ts';
import { elementsOf, isRecent } from '../header-signature.ts';
import type { SignedRequest } from '../platform.ts';

const toleranceMs = 5 * 60_000;

/**
 * True if one of the signatures `v1` of `X-Jaas-Signature: t=<seconds>,v1=<base64>,…` covers the time and the body. The key is the whole
 * secret with its prefix. Signatures of other schemes do not count.
 */
export function isAuthentic({ headers, rawBody }: SignedRequest, { value }: ConnectionSecret, now: Date): boolean {
  const elements = elementsOf(headers['x-jaas-signature']);
  const time = elements.find(([name]) => name === 't')?.[1] ?? '';
  if (!isRecent(time, now, toleranceMs)) return false;
  const expected = createHmac('sha256', value).update(`${time}.`).update(rawBody).digest('base64');
  return elements.some(([name, signature]) => name === 'v1' && isEqual(signature, expected));
}
