import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { decodeJwt, type JWTPayload } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { inject } from 'vitest';
import { serve } from '../support/http/test-server.ts';
import { endpoints } from '../support/machine.ts';
import { requestPersonToken } from '../support/operations/person-token.ts';

/** A login of people on this machine, and what tests do to it. */
export type OidcIssuer = {
  readonly url: string;
  readonly clientId: string;
  /** Whether it answers. If not, it breaks every connection. */
  isUp: boolean;
  /** Ends all sessions and revokes all tokens, as an administrator does. */
  readonly endSessions: () => void;
  /** How many access tokens were issued for a refresh token, and how many tokens were revoked. */
  readonly renewals: () => number;
  readonly revocations: () => number;
  readonly stop: () => void;
};

/** The claims of an access token of who has logged in by this name. `given` are those that the provider writes. */
type ClaimsOf = (name: string, given: JWTPayload) => JWTPayload;

type IssuerOptions = {
  /** The claims of access tokens. By default, they are those of the stage's pool of people. */
  readonly claimsOf?: ClaimsOf;
  /** Whether the issuer has an address for the end of a session. By default, it has. */
  readonly endsSessions?: boolean;
};

const clientId = 'console';
/** Whom the access tokens are for (`aud`). */
export const audience = 'urn:roomscribe';

/**
 * Starts an OpenID provider at which people log in by their name. A name such as `ada acme:editor` has the groups after it. Its access
 * tokens are those of the stage's pool of people, as Cognito issues them: it signs them with the key of the pool.
 */
export async function startOidcIssuer(redirectUri: string, options: IssuerOptions = {}): Promise<OidcIssuer> {
  const counts = { renewals: 0, revocations: 0 };
  const create = async () => {
    const provider = new Provider(url, await configuration(redirectUri, options));
    provider.on('grant.success', (ctx) => {
      if (ctx.oidc.params?.grant_type === 'refresh_token') counts.renewals += 1;
    });
    provider.on('refresh_token.destroyed', () => {
      counts.revocations += 1;
    });
    return provider;
  };
  const { url, stop } = await serve((request, response) => {
    if (!issuer.isUp) request.socket.destroy();
    else if (request.url?.startsWith('/interaction/')) void answerLogin(provider, request, response);
    else void provider.callback()(request, response);
  });
  let provider = await create();
  const spare = await create();
  const issuer: OidcIssuer = {
    url,
    clientId,
    isUp: true,
    renewals: () => counts.renewals,
    revocations: () => counts.revocations,
    endSessions: () => {
      provider = spare; // with an empty memory
    },
    stop,
  };
  return issuer;
}

/** The claims of Cognito: the groups follow the name. */
async function claimsOfPool(): Promise<ClaimsOf> {
  const sample = decodeJwt(await requestPersonToken(endpoints, 'sample', []));
  return (login, { iat, exp, jti, aud }) => {
    const [name = '', ...groups] = login.split(' ');
    const claims = { ...sample, sub: name, username: name, iat, exp, jti, aud } as JWTPayload;
    return { ...claims, ...(groups.length > 0 && { 'cognito:groups': groups }) };
  };
}

async function configuration(
  redirectUri: string,
  { claimsOf, endsSessions = true }: IssuerOptions,
): Promise<Configuration> {
  const key = JSON.parse(await readFile(path.join(inject('machine').logFolder, '..', 'people-key.json'), 'utf8'));
  const claims = claimsOf ?? (await claimsOfPool());
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
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: endsSessions,
        logoutSource: async (ctx, form) => {
          ctx.body = `${icon}${form}<button form="op.logoutForm" name="logout" value="yes">Log out</button>`;
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => audience,
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
      grant.addResourceScope(audience, 'openid');
      await grant.save();
      return grant;
    },
    formats: {
      customizers: {
        jwt: async (_ctx, token, parts) => {
          parts.payload = claims(String((token as { accountId?: string }).accountId), parts.payload);
          parts.header = { kid: key.kid };
        },
      },
    },
  };
}

/** Without it, browsers ask for an icon that is not there. */
const icon = '<link rel="icon" href="data:,">';

/** Shows a form for the name, and takes what it sends. */
async function answerLogin(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html');
    response.end(
      `${icon}<form method="post"><label>Name <input name="name" autofocus></label><button>Log in</button></form>`,
    );
    return;
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const accountId = new URLSearchParams(body).get('name') ?? '';
  await provider.interactionFinished(request, response, { login: { accountId } });
}
