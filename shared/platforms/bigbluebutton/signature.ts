import { createHash } from 'node:crypto';
import type { ConnectionSecret, ConnectionSettings } from '#shared/contracts/platforms/connection.ts';
import { hasBearer } from '../bearer.ts';
import { isEqual } from '../equal.ts';
import type { SignedRequest } from '../platform.ts';
import { fieldsOf } from './form.ts';

/** The algorithm of a checksum, by the number of its hexadecimal digits. BigBlueButton's configuration chooses it. */
const algorithms: ReadonlyMap<number, string> = new Map([
  [40, 'sha1'],
  [64, 'sha256'],
  [96, 'sha384'],
  [128, 'sha512'],
]);

/**
 * True if the query has a checksum of the address, what this version of bbb-webhooks signs and the secret, or if the request has the secret
 * as bearer token. Neither has a time, so a request stays authentic. A repeated one changes nothing.
 */
export function isAuthentic(
  { headers, rawQueryString, rawBody, url }: SignedRequest,
  { value }: ConnectionSecret,
  _now: Date,
  { weakChecksum }: ConnectionSettings = {},
): boolean {
  const isBearer = hasBearer(headers.authorization, value);
  if (isBearer !== undefined) return isBearer;
  const checksum = new URLSearchParams(rawQueryString).get('checksum') ?? '';
  const algorithm = algorithms.get(checksum.length);
  if (algorithm === undefined) return false;
  const checksumOf = (signed: string | Buffer) =>
    createHash(algorithm).update(url).update(signed).update(value).digest('hex');
  return signedParts(rawBody, weakChecksum === 'true').some((signed) => isEqual(checksum, checksumOf(signed)));
}

/**
 * What versions of bbb-webhooks sign between the address and the secret: the body since 3.4, its fields as JSON until 2.6, and in between,
 * by a mistake, an empty object. That fits every webhook, so only a connection that asks for it takes it. Nothing that is no
 * form or repeats a field is authentic.
 */
function signedParts(rawBody: Buffer, isWeakTaken: boolean): readonly (string | Buffer)[] {
  const fields = fieldsOf(rawBody);
  if (!fields) return [];
  const { event, timestamp, domain } = Object.fromEntries(fields);
  return [rawBody, JSON.stringify({ event, timestamp: Number(timestamp), domain }), ...(isWeakTaken ? ['{}'] : [])];
}
