import { createHmac } from 'node:crypto';
import type { ConnectionSecret } from '../../contracts/connection.ts';
import { isEqual } from '../equal.ts';
import type { SignedRequest } from '../platform.ts';

const toleranceMs = 5 * 60_000;

/**
 * True if one of the signatures `v1` of `X-Jaas-Signature: t=<seconds>,v1=<base64>,…` covers the time and the body. The key is the whole
 * secret with its prefix. Signatures of other schemes do not count.
 */
export function isAuthentic({ headers, rawBody }: SignedRequest, { value }: ConnectionSecret, now: Date): boolean {
  const elements = (headers['x-jaas-signature'] ?? '').split(',').map(elementOf);
  const time = elements.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time) || Math.abs(now.getTime() - Number(time) * 1000) > toleranceMs) return false;
  const expected = createHmac('sha256', value).update(`${time}.`).update(rawBody).digest('base64');
  return elements.some(([name, signature]) => name === 'v1' && isEqual(signature, expected));
}

/** Name and value. A value in base64 ends with `=`, so only the first one separates. */
function elementOf(element: string): readonly [string, string] {
  const [name = '', ...rest] = element.trim().split('=');
  return [name, rest.join('=')];
}
