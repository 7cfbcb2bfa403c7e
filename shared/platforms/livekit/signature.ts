import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { ConnectionSecret } from '#shared/contracts/platforms/connection.ts';
import { isEqual } from '../equal.ts';
import type { SignedRequest } from '../platform.ts';

/** For how long after `exp` and before `nbf` a token is valid, in seconds: clocks differ. LiveKit's own servers allow the same. */
const leewaySeconds = 60;

/** No algorithm but this one, and no extension that this function does not know (`crit`: RFC 7515, section 4.1.11). */
const Header = z.object({ alg: z.literal('HS256'), crit: z.optional(z.never()) });
const Claims = z.object({ iss: z.string(), exp: z.number(), nbf: z.optional(z.number()), sha256: z.string() });

/**
 * True if the request has a token of LiveKit: signed with the secret, issued by its API key, valid now, and with the SHA-256 of these very
 * bytes. A token of a participant is signed with the same secret. It has no hash of a body, so it is refused.
 */
export function isSigned({ headers, rawBody }: SignedRequest, { id, value }: ConnectionSecret, now: Date): boolean {
  const token = headers.authorization?.replace(/^Bearer /i, '') ?? '';
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isEqual(signature, hmac(value, `${header}.${payload}`))) return false;
  const claims = Claims.safeParse(jsonOf(payload));
  if (!Header.safeParse(jsonOf(header)).success || !claims.success) return false;
  const { iss, exp, nbf = 0, sha256 } = claims.data;
  const seconds = now.getTime() / 1000;
  if (iss !== id || seconds >= exp + leewaySeconds || seconds < nbf - leewaySeconds) return false;
  return isEqual(sha256, createHash('sha256').update(rawBody).digest('base64'));
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** The JSON of a part of a token. Undefined if it has none. */
function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}
