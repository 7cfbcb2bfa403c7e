import { JwtRsaVerifier } from 'aws-jwt-verify';
import { validateCognitoJwtFields } from 'aws-jwt-verify/cognito-verifier';
import {
  CognitoJwtInvalidTokenUseError,
  FetchError,
  JwksValidationError,
  JwkValidationError,
  JwtBaseError,
  JwtExpiredError,
  JwtInvalidIssuerError,
  JwtInvalidScopeError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  JwtParseError,
  KidNotFoundInJwksError,
  WaitPeriodNotYetEndedJwkError,
} from 'aws-jwt-verify/error';
import { type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { JwtHeader, JwtPayload } from 'aws-jwt-verify/jwt-model';

/** The user pool and the scope of valid tokens. */
export type TokenRules = { readonly userPoolId: string; readonly region: string; readonly scope: string };

/** The claims of an access token. */
export type TokenClaims = { readonly clientId: string };

/** Thrown for an invalid token. `reason` is the violated rule, and never a part of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly reason: string;

  constructor(cause: JwtBaseError) {
    super('The token is not good for this API.', { cause });
    this.reason = reasons.find(([kind]) => cause instanceof kind)?.[1] ?? 'other';
  }
}

/**
 * Verifies access tokens of a user pool: signature, issuer, times, kind and scope. Throws `TokenRefused` for an invalid
 * token, and another error if the check itself fails. The keys are fetched once and cached.
 */
export function accessTokenVerifier(
  { userPoolId, region, scope }: TokenRules,
  jwksCache: JwksCache = new SimpleJwksCache(),
) {
  const verifier = JwtRsaVerifier.create(
    {
      issuer: `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`,
      audience: null, // a token for client credentials has no audience; the scope identifies the API
      scope,
      customJwtCheck: ({ header, payload }) => assertAccessToken(header, payload),
    },
    { jwksCache },
  );
  return async (token: string): Promise<TokenClaims> => {
    try {
      const { client_id } = await verifier.verify(token);
      return { clientId: String(client_id) };
    } catch (error) {
      if (!(error instanceof JwtBaseError) || keysUnknown.some((kind) => error instanceof kind)) throw error;
      throw new TokenRefused(error);
    }
  };
}

const reasons = [
  [JwtParseError, 'malformed'],
  [JwtExpiredError, 'expired'],
  [JwtNotBeforeError, 'not yet valid'],
  [JwtInvalidIssuerError, 'issuer'],
  [JwtInvalidScopeError, 'scope'],
  [JwtInvalidSignatureError, 'signature'],
  [CognitoJwtInvalidTokenUseError, 'kind'],
  [KidNotFoundInJwksError, 'key'],
  [WaitPeriodNotYetEndedJwkError, 'key'], // the library looks for unknown keys once in ten seconds
] as const;

/** Errors in fetching the keys of the pool. They say nothing about the token. */
const keysUnknown = [FetchError, JwksValidationError, JwkValidationError];

/** Thrown for a correctly signed token that is not an access token of a client. */
class InvalidClaim extends JwtBaseError {
  override readonly name = 'InvalidClaim';
}

/** Checks what every access token of Cognito has and the library does not check. */
function assertAccessToken(header: JwtHeader, payload: JwtPayload): void {
  validateCognitoJwtFields(payload, { tokenUse: 'access', clientId: null, groups: null });
  if (header.alg !== 'RS256') throw new InvalidClaim('not signed with RS256');
  if (typeof payload.exp !== 'number') throw new InvalidClaim('no expiry');
  if (typeof payload.client_id !== 'string') throw new InvalidClaim('no client');
}
