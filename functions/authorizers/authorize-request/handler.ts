import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import type { TokenClaims } from '#shared/adapters/cognito/access-tokens.ts';
import { log } from '#shared/logger.ts';

type Deps = {
  /** Throws an error with a `reason` for a token that is not good. */
  readonly verify: (token: string) => Promise<TokenClaims>;
  readonly refusalReason: (error: unknown) => string | undefined;
  /** Under which name the endpoints look for the organization. */
  readonly organizationClaim: string;
};

type Verdict = APIGatewaySimpleAuthorizerWithContextResult<Record<string, string>>;

/**
 * Lambda authorizer of the HTTP API: called by the gateway before each endpoint, for requests that have a token. What it
 * throws is a 500 of the gateway: nothing is let through because a token could not be checked.
 */
export function createHandler({ verify, refusalReason, organizationClaim }: Deps) {
  return async (event: APIGatewayRequestAuthorizerEventV2): Promise<Verdict> => {
    const { requestId: correlationId } = event.requestContext;
    try {
      const { clientId } = await verify(tokenOf(event));
      return { isAuthorized: true, context: { [organizationClaim]: clientId } };
    } catch (error) {
      const reason = refusalReason(error);
      if (reason === undefined) {
        log.error('token not checked', error, { correlationId });
        throw error;
      }
      log.info('token refused', { correlationId, reason });
      return { isAuthorized: false, context: {} };
    }
  };
}

function tokenOf({ identitySource }: APIGatewayRequestAuthorizerEventV2): string {
  return (identitySource?.[0] ?? '').replace(/^bearer /i, '').trim();
}
