import { createHash } from 'node:crypto';
import type { ConnectionSecret } from '../../contracts/connection.ts';
import { hasBearer } from '../bearer.ts';
import { isEqual } from '../equal.ts';
import type { SignedRequest } from '../platform.ts';

/** The algorithm of a checksum, by the number of its hexadecimal digits. BigBlueButton's configuration chooses it. */
const algorithms: ReadonlyMap<number, string> = new Map([
  [40, 'sha1'],
  [64, 'sha256'],
  [96, 'sha384'],
  [128, 'sha512'],
]);

/**
 * True if the query has the checksum of the address, the body and the secret, or if the request has the secret as bearer token. Neither has a
 * time, so a request stays authentic. A repeated one changes nothing.
 */
export function isAuthentic(
  { headers, rawQueryString, rawBody, url }: SignedRequest,
  { value }: ConnectionSecret,
): boolean {
  const isBearer = hasBearer(headers.authorization, value);
  if (isBearer !== undefined) return isBearer;
  const checksum = new URLSearchParams(rawQueryString).get('checksum') ?? '';
  const algorithm = algorithms.get(checksum.length);
  if (algorithm === undefined) return false;
  return isEqual(checksum, createHash(algorithm).update(url).update(rawBody).update(value).digest('hex'));
}
