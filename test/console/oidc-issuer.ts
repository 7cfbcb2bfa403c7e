import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { decodeJwt } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { inject } from 'vitest';
import { requestPersonToken } from '#tools/shared/token.ts';
import { endpoints } from '../support/machine.ts';

/** A login of people on this machine, and what tests do to it. */
export type OidcIssuer = {
  readonly url: string;
  readonly clientId: string;
  /** Ends all sessions and revokes all tokens, as an administrator does. */
  readonly endSessions: () => void;
  /** How many access tokens were issued with a refresh token. */
  readonly renewals: () => number;
  readonly stop: () => void;
};

const clientId = 'console';
const resource = 'urn:roomscribe';

/**
 * Starts an OpenID provider at which people log in by their name. A name such as `ada acme:editor` has the groups after it. Its access
 * tokens are those of the stage's pool of people, as Cognito issues them: it signs them with the key of the pool.
 */
export async function startOidcIssuer(redirectUri: string): Promise<OidcIssuer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let renewals = 0;
  const create = async () => {
    const provider = new Provider(url, await configuration(redirectUri));
    provider.on('grant.success', (ctx) => {
      if (ctx.oidc.params?.grant_type === 'refresh_token') renewals += 1;
    });
    return provider;
  };
  let provider = await create();
  server.on('request', (request, response) => {
    const isLogin = request.url?.startsWith('/interaction/') ?? false;
    if (isLogin) void answerLogin(provider, request, response);
    else void provider.callback()(request, response);
  });
  const spare = await create();
  return {
    url,
    clientId,
    renewals: () => renewals,
    endSessions: () => {
      provider = spare; // with an empty memory
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function configuration(redirectUri: string): Promise<Configuration> {
  const key = JSON.parse(await readFile(path.join(inject('machine').logFolder, '..', 'people-key.json'), 'utf8'));
  const sample = decodeJwt(await requestPersonToken(endpoints, 'sample', []));
  return {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...key, alg: 'RS256', use: 'sig' }] },
    clientBasedCORS: () => true,
    issueRefreshToken: async () => true,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async () => ({ scope: 'openid', accessTokenFormat: 'jwt', accessTokenTTL: 3600 }),
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    // Everyone who logs in may use the console: nobody is asked for consent.
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({ clientId, accountId: String(ctx.oidc.session?.accountId) });
      grant.addOIDCScope('openid');
      grant.addResourceScope(resource, 'openid');
      await grant.save();
      return grant;
    },
    formats: {
      customizers: {
        jwt: async (_ctx, token, parts) => {
          const [name = '', ...groups] = String((token as { accountId?: string }).accountId).split(' ');
          const { iat, exp, jti, aud } = parts.payload;
          const claims = { ...sample, sub: name, username: name, iat, exp, jti, aud };
          parts.payload = { ...claims, ...(groups.length > 0 && { 'cognito:groups': groups }) };
          parts.header = { kid: key.kid };
        },
      },
    },
  };
}

/** Shows a form for the name, and takes what it sends. */
async function answerLogin(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<link rel="icon" href="data:,"><form method="post"><label>Name <input name="name" autofocus></label><button>Log in</button></form>',
    );
    return;
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const accountId = new URLSearchParams(body).get('name') ?? '';
  await provider.interactionFinished(request, response, { login: { accountId } });
}
