import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda';
import getPort from 'get-port';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { startHttpApi } from '#tools/local/http-api/http-api.ts';
import type { Outcome } from '#tools/local/lambda/function-thread.ts';
import { startIssuer } from '#tools/local/services/issuer.ts';
import type { Cors, Route, StackFunction } from '#tools/local/template/stack.ts';

type Event = APIGatewayProxyEventV2WithJWTAuthorizer;

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
  }: { readonly timeoutMs?: number; readonly cors?: Cors; readonly isOpen?: boolean } = {},
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-api-'));
  const keyFile = path.join(folder, 'key.json');
  const audience = 'roomscribe';
  const issuer = await startIssuer({ port: await getPort(), keyFile, audience });
  const jwk = JSON.parse(await readFile(keyFile, 'utf8'));
  const privateKey = await importJWK(jwk, 'RS256');
  const events: Event[] = [];
  const behind = { answer: async (_event: Event): Promise<Outcome> => ({ ok: true, payload: '{}' }) };
  const route = (routeKey: string): Route => ({
    routeKey,
    timeoutMs,
    function: { name: 'fixture' } as StackFunction, // the code reads nothing else
    authorizer: isOpen ? undefined : { issuer: issuer.url, audience: [audience] },
  });
  const api = await startHttpApi({
    port: await getPort(),
    routes: routeKeys.map(route),
    cors,
    invoke: (_, event) => {
      events.push(event as Event);
      return behind.answer(event as Event);
    },
  });
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer.url, aud: audience, client_id: 'acme', iat: now, exp: now + 600 };
  return {
    url: api.url,
    issuer,
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
