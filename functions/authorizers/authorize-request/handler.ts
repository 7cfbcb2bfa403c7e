import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import type { TokenClaims } from '#shared/adapters/organization/access-tokens.ts';
import { membershipRefusal, personFields } from '#shared/contracts/organization/person.ts';
import { tokenExpiry, tokenRefusal } from '#shared/contracts/organization/token-refusal.ts';
import { membershipOf } from '#shared/domain/insights/membership.ts';
import { log } from '#shared/runtime/logger.ts';

type Deps = {
  /** Throws an error with a `reason` for an invalid token. */
  readonly verify: (token: string) => Promise<TokenClaims>;
  readonly refusalReason: (error: unknown) => string | undefined;
  /** Name of the claim in which the endpoints find the organization. */
  readonly organizationClaim: string;
};

type Verdict = APIGatewaySimpleAuthorizerWithContextResult<Record<string, string>>;

/**
 * Lambda authorizer of the HTTP API. The gateway calls it for requests that have a token, before the endpoint. It passes on either
 * the caller, or why it refused the token. The endpoint answers a refused token with 401, and a person without one organization with
 * 403: a refusal of the gateway would be a 403 without a code. The gateway keeps what it passes on for some minutes, so that includes
 * when the token expires.
 * If it throws, the gateway responds with 500, so no request passes whose token could not be checked.
 */
export function createHandler({ verify, refusalReason, organizationClaim }: Deps) {
  return async (event: APIGatewayRequestAuthorizerEventV2): Promise<Verdict> => {
    const { requestId: correlationId } = event.requestContext;
    const refused = (reason: string): Verdict => {
      log.info('token refused', { correlationId, reason });
      return { isAuthorized: true, context: { [tokenRefusal]: reason } };
    };
    const token = tokenOf(event);
    if (token === undefined) return refused('scheme');
    try {
      const claims = await verify(token);
      const expiry = { [tokenExpiry]: String(claims.expiresAt) };
      if ('clientId' in claims)
        return { isAuthorized: true, context: { ...expiry, [organizationClaim]: claims.clientId } };
      const { personId, groups } = claims;
      const membership = membershipOf(groups);
      if (typeof membership === 'string') {
        log.info('person refused', { correlationId, personId, reason: membership });
        return { isAuthorized: true, context: { ...expiry, [membershipRefusal]: membership } };
      }
      const { organizationId, role } = membership;
      const person = { [personFields.personId]: personId, [personFields.role]: role };
      return { isAuthorized: true, context: { ...expiry, [organizationClaim]: organizationId, ...person } };
    } catch (error) {
      const reason = refusalReason(error);
      if (reason !== undefined) return refused(reason);
      log.error('token not checked', error, { correlationId });
      throw error;
    }
  };
}

/** The token of the header `Authorization: Bearer <token>`. The scheme is in any case (RFC 9110, section 11.1). */
function tokenOf({ identitySource }: APIGatewayRequestAuthorizerEventV2): string | undefined {
  return /^bearer +(\S+) *$/i.exec(identitySource?.[0] ?? '')?.[1];
}
