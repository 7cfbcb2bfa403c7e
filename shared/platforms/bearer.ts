import { createHash } from 'node:crypto';
import { isEqual } from './equal.ts';

/**
 * Whether a request has the secret as its bearer token; undefined if it has no bearer token. Hashes are compared, so that not even the
 * length of the secret shows. An empty secret fits nothing, because no token is empty.
 */
export function hasBearer(authorization: string | undefined, secret: string): boolean | undefined {
  const token = /^bearer +(.+)$/is.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  return isEqual(hashOf(token), hashOf(secret));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
