import { createHash } from 'node:crypto';
import { claimsOf } from '../../../claims.ts';
import type { Account } from '../../../profiles.ts';

/** Claims that differ between two tokens of the same organization, because one is newer or of another login. */
const claimsOfOneToken = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time', 'origin_jti', 'event_id', 'sid', 'nonce']);

/**
 * Who exports: a hash that a renewed token does not change. Any claim can name the organization, so two tokens have the same
 * owner only if all their lasting claims are equal.
 */
export function ownerOf(account: Account): string {
  const identity = 'token' in account ? lastingPartOf(account.token) : [account.tokenUrl, account.clientId];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}

function lastingPartOf(token: string): unknown {
  const claims = claimsOf(token);
  if (!claims) return token;
  return Object.entries(claims)
    .filter(([name]) => !claimsOfOneToken.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
