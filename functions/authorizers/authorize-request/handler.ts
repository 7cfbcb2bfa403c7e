import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import type { TokenClaims } from '#shared/adapters/cognito/access-tokens.ts';
import { log } from '#shared/logger.ts';

type Deps = {
  /** Throws an error with a `reason` for an invalid token. */
  readonly verify: (token: string) => Promise<TokenClaims>;
  readonly refusalReason: (error: unknown) => string | undefined;
  /** Name of the claim in which the endpoints find the organization. */
  readonly organizationClaim: string;
};

type Verdict = APIGatewaySimpleAuthorizerWithContextResult<Record<string, string>>;

/**
 * Lambda authorizer of the HTTP API. The gateway calls it for requests that have a token, before the endpoint. If it
 * throws, the gateway responds with 500, so no request passes whose token could not be checked.
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
