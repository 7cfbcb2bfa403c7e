import { decodeJwt, type JWTPayload } from 'jose';

/** The claims of a token, which only the service verifies. Undefined for a token that is not a JWT. */
export function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}
