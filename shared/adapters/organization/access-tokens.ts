import { JwtRsaVerifier } from 'aws-jwt-verify';
import { validateCognitoJwtFields } from 'aws-jwt-verify/cognito-verifier';
import {
  CognitoJwtInvalidClientIdError,
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
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import type { JwtHeader, JwtPayload } from 'aws-jwt-verify/jwt-model';
import { expired } from '#shared/contracts/organization/token-refusal.ts';

/** The user pools and the scope of valid tokens. */
export type TokenRules = {
  /** The pool of machines. Every client of it is valid. */
  readonly userPoolId: string;
  readonly region: string;
  readonly scope: string;
  /** The pool of people, and the one client that logs them in. Undefined if the stage has no console. */
  readonly people?: { readonly userPoolId: string; readonly clientId: string } | undefined;
};

/** Whom an access token is of: a client of the machines' pool, or a person of the people's. `expiresAt` is in epoch seconds. */
export type TokenClaims = { readonly expiresAt: number } & (
  | { readonly clientId: string }
  | { readonly personId: string; readonly groups: readonly string[] }
);

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
 * Verifies access tokens of user pools: signature, issuer, times, kind and scope. Throws `TokenRefused` for an invalid
 * token, and another error if the check itself fails. The keys are fetched once and cached.
 */
export function accessTokenVerifier(
  { userPoolId, region, scope, people }: TokenRules,
  jwksCache: JwksCache = new SimpleJwksCache(),
) {
  const verifierOf = (issuer: string, clientId: string | null, check: (payload: JwtPayload) => void) =>
    JwtRsaVerifier.create(
      {
        issuer,
        audience: null, // an access token has no audience; the scope identifies the API
        scope,
        customJwtCheck: ({ header, payload }) => {
          assertAccessToken(header, payload, clientId);
          check(payload);
        },
      },
      { jwksCache },
    );
  const machines = verifierOf(issuerOf(region, userPoolId), null, () => {});
  const peopleIssuer = people && issuerOf(region, people.userPoolId);
  const persons = people && verifierOf(issuerOf(region, people.userPoolId), people.clientId, assertPerson);
  return async (token: string): Promise<TokenClaims> => {
    try {
      // The verifier of a pool accepts no token of another one, so the pool alone decides what a token is.
      if (persons && decomposeUnverifiedJwt(token).payload.iss === peopleIssuer)
        return personIn(await persons.verify(token));
      const { client_id, exp } = await machines.verify(token);
      return { clientId: String(client_id), expiresAt: Number(exp) };
    } catch (error) {
      if (!(error instanceof JwtBaseError) || keysUnknown.some((kind) => error instanceof kind)) throw error;
      throw new TokenRefused(error);
    }
  };
}

const reasons = [
  [JwtParseError, 'malformed'],
  [JwtExpiredError, expired],
  [JwtNotBeforeError, 'not yet valid'],
  [JwtInvalidIssuerError, 'issuer'],
  [JwtInvalidScopeError, 'scope'],
  [JwtInvalidSignatureError, 'signature'],
  [CognitoJwtInvalidClientIdError, 'client'],
  [CognitoJwtInvalidTokenUseError, 'kind'],
  [KidNotFoundInJwksError, 'key'],
  [WaitPeriodNotYetEndedJwkError, 'key'], // the library looks for unknown keys once in ten seconds
] as const;

/** Errors in fetching the keys of the pool. They say nothing about the token. */
const keysUnknown = [FetchError, JwksValidationError, JwkValidationError];

function issuerOf(region: string, userPoolId: string): string {
  return `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`;
}

/** Thrown for a correctly signed token that is not an access token of a client. */
class InvalidClaim extends JwtBaseError {
  override readonly name = 'InvalidClaim';
}

/** Checks what every access token of Cognito has and the library does not check. */
function assertAccessToken(header: JwtHeader, payload: JwtPayload, clientId: string | null): void {
  validateCognitoJwtFields(payload, { tokenUse: 'access', clientId, groups: null });
  if (header.alg !== 'RS256') throw new InvalidClaim('not signed with RS256');
  if (typeof payload.exp !== 'number') throw new InvalidClaim('no expiry');
  if (typeof payload.client_id !== 'string') throw new InvalidClaim('no client');
}

/** A person without groups has no claim of groups. */
function assertPerson({ sub, 'cognito:groups': groups = [] }: JwtPayload): void {
  if (typeof sub !== 'string' || sub === '') throw new InvalidClaim('no person');
  if (!Array.isArray(groups)) throw new InvalidClaim('no list of groups');
}

function personIn({ sub, exp, 'cognito:groups': groups = [] }: JwtPayload): TokenClaims {
  return { personId: String(sub), groups: (groups as readonly unknown[]).map(String), expiresAt: Number(exp) };
}
