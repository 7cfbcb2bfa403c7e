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

/** Whose tokens are good: those of one user pool that carry one scope. */
export type TokenRules = { readonly userPoolId: string; readonly region: string; readonly scope: string };

/** What an access token says of its bearer. */
export type TokenClaims = { readonly clientId: string };

/** A token that must be refused; `reason` is the rule that it breaks, and never a part of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly reason: string;

  constructor(cause: JwtBaseError) {
    super('The token is not good for this API.', { cause });
    this.reason = reasons.find(([kind]) => cause instanceof kind)?.[1] ?? 'other';
  }
}

/**
 * Checks access tokens of a user pool: signature, issuer, times, kind and scope. Throws `TokenRefused` for one that is
 * not good, and any other error where that could not be found out. The keys are fetched once and kept.
 */
export function accessTokenVerifier(
  { userPoolId, region, scope }: TokenRules,
  jwksCache: JwksCache = new SimpleJwksCache(),
) {
  const verifier = JwtRsaVerifier.create(
    {
      issuer: `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`,
      audience: null, // of a client's own token there is none; the scope says for which API it is
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
  [WaitPeriodNotYetEndedJwkError, 'key'], // unknown ones are looked for once in ten seconds
] as const;

/** Errors that say nothing of the token: the pool's keys could not be had. */
const keysUnknown = [FetchError, JwksValidationError, JwkValidationError];

/** A token that is signed well and still not one of a client of the pool. */
class InvalidClaim extends JwtBaseError {
  override readonly name = 'InvalidClaim';
}

/** What Cognito's access tokens always have, and the library asks of none. */
function assertAccessToken(header: JwtHeader, payload: JwtPayload): void {
  validateCognitoJwtFields(payload, { tokenUse: 'access', clientId: null, groups: null });
  if (header.alg !== 'RS256') throw new InvalidClaim('not signed with RS256');
  if (typeof payload.exp !== 'number') throw new InvalidClaim('no expiry');
  if (typeof payload.client_id !== 'string') throw new InvalidClaim('no client');
}
