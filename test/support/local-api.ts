import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { APIGatewayProxyEventV2WithLambdaAuthorizer, APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import getPort from 'get-port';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { createHandler } from '#functions/authorizers/authorize-request/handler.ts';
import { accessTokenVerifier, TokenRefused } from '#shared/adapters/organization/access-tokens.ts';
import { startHttpApi } from '#tools/local/http-api/http-api.ts';
import type { Outcome } from '#tools/local/lambda/function-thread.ts';
import { startIssuer } from '#tools/local/services/tokens/issuer.ts';
import type { Cors, Route, StackFunction } from '#tools/local/template/stack.ts';

type Event = APIGatewayProxyEventV2WithLambdaAuthorizer<Record<string, unknown>>;

/** The user pool that the local issuer stands for in these tests. */
const pool = { userPoolId: 'us-east-1_local', region: 'us-east-1', scope: 'roomscribe/access' };

/**
 * Starts an HTTP API whose routes all call one function of the test. The test has the key of the issuer. With `isOpen` the
 * routes have no authorizer.
 */
export async function startLocalApi(
  routeKeys: readonly string[],
  {
    timeoutMs = 30_000,
    cors,
    isOpen = false,
    cacheSeconds = 0,
  }: {
    readonly timeoutMs?: number;
    readonly cors?: Cors;
    readonly isOpen?: boolean;
    readonly cacheSeconds?: number;
  } = {},
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-api-'));
  const keyFile = path.join(folder, 'key.json');
  const iss = `https://cognito-idp.${pool.region}.amazonaws.com/${pool.userPoolId}`;
  const issuer = await startIssuer({ port: await getPort(), keyFile, issuer: iss, scope: pool.scope });
  const jwk = JSON.parse(await readFile(keyFile, 'utf8'));
  const privateKey = await importJWK(jwk, 'RS256');
  const events: Event[] = [];
  const fetchKeys = async () => (await fetch(issuer.jwksUrl)).arrayBuffer();
  const authorize = createHandler({
    verify: accessTokenVerifier(pool, new SimpleJwksCache({ fetcher: { fetch: fetchKeys } })),
    refusalReason: (error) => (error instanceof TokenRefused ? error.reason : undefined),
    organizationClaim: 'client_id',
  });
  /** The events that the authorizer received, and its answer: that of the stack's authorizer, unless the test replaces it. */
  const authorizer = {
    events: [] as APIGatewayRequestAuthorizerEventV2[],
    answer: async (event: APIGatewayRequestAuthorizerEventV2): Promise<Outcome> => ({
      ok: true,
      payload: JSON.stringify(await authorize(event)),
    }),
  };
  const behind = { answer: async (_event: Event): Promise<Outcome> => ({ ok: true, payload: '{}' }) };
  const route = (routeKey: string): Route => ({
    routeKey,
    timeoutMs,
    function: { name: 'fixture' } as StackFunction, // the code reads nothing else
    authorizer: isOpen
      ? undefined
      : { id: 'authorizer', function: { name: 'authorizer' } as StackFunction, cacheSeconds },
  });
  const api = await startHttpApi({
    port: await getPort(),
    routes: routeKeys.map(route),
    cors,
    invoke: (target, event) => {
      if (target.name === 'authorizer') {
        authorizer.events.push(event as APIGatewayRequestAuthorizerEventV2);
        return authorizer.answer(event as APIGatewayRequestAuthorizerEventV2);
      }
      events.push(event as Event);
      return behind.answer(event as Event);
    },
  });
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss, scope: pool.scope, token_use: 'access', client_id: 'acme', iat: now, exp: now + 600 };
  return {
    url: api.url,
    issuer,
    authorizer,
    jwk,
    claims,
    /** The events that the function received. */
    events,
    /** The answer of the function. */
    behind,
    sign: (payload: object = claims, header: object = {}) =>
      new SignJWT(payload as JWTPayload) // also payloads that no issuer would sign
        .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, ...header })
        .sign(privateKey),
    async stop() {
      await api.stop();
      await issuer.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
