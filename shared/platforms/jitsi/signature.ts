import { createHash } from 'node:crypto';
import type { ConnectionSecret } from '../../contracts/connection.ts';
import { isEqual } from '../equal.ts';
import type { SignedRequest } from '../platform.ts';

/**
 * True if the request carries the connection's secret as its bearer token. event_sync signs nothing: it sends the headers that it is told to
 * send. Hashes are compared, so that not even the length of the secret shows.
 */
export function isAuthentic({ headers }: SignedRequest, { value }: ConnectionSecret): boolean {
  const token = /^bearer +(.+)$/is.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && isEqual(hashOf(token), hashOf(value));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
