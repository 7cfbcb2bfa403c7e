import { TokenError, toApiError } from './errors.ts';
import { exchange, type HttpSettings } from './http.ts';

/** An access token, and when it is to be renewed: shortly before its end, in epoch milliseconds. */
export type AccessToken = { readonly accessToken: string; readonly renewAt: number };

/** Keeps the token of one client beyond this process: every token that is asked for is paid for by the operator. */
export type TokenStore = {
  readonly read: () => Promise<AccessToken | undefined>;
  readonly write: (token: AccessToken) => Promise<void>;
};

/** What tokens are asked for with (OAuth 2.0 client credentials, RFC 6749, section 4.4). */
export type ClientCredentials = {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Only for issuers that want one named; scopes are separated by spaces. */
  readonly scope?: string | undefined;
  readonly tokenStore?: TokenStore | undefined;
};

/** Where calls get their tokens. */
export type Tokens = {
  readonly get: () => Promise<string>;
  /** A token to try instead of one that the API refused; undefined where there is none. */
  readonly replace: (refused: string) => Promise<string | undefined>;
};

/** A token is renewed this long before its end, or at half of a shorter life. */
const marginMs = 60_000;
/** An issuer need not say how long a token lives. */
const unknownLifeSeconds = 300;

/** A token, or a function that gets one; it is told the token that the API refused, if that is why it is asked. */
export type TokenSource = string | ((refused?: string) => string | Promise<string>);

/** Tokens that somebody else gets: a function is asked before each call, and again where its token was refused. */
export function tokensFrom(source: TokenSource): Tokens {
  const ask = async (refused?: string) => (typeof source === 'string' ? source : source(refused));
  return {
    get: () => ask(),
    replace: async (refused) => {
      const other = await ask(refused);
      return other === refused ? undefined : other;
    },
  };
}

/** Tokens by client credentials: one at a time, asked for once by however many calls wait for it. */
export function tokensOf(credentials: ClientCredentials, http: HttpSettings): Tokens {
  const { tokenStore } = credentials;
  let known: AccessToken | undefined;
  let renewal: Promise<AccessToken> | undefined;

  const request = async (): Promise<AccessToken> => {
    try {
      known = await requestToken(credentials, http);
      await tokenStore?.write(known);
      return known;
    } finally {
      renewal = undefined;
    }
  };
  const renew = (): Promise<AccessToken> => {
    renewal ??= request();
    return renewal;
  };
  return {
    get: async () => {
      known ??= await tokenStore?.read();
      return (known && isGood(known) ? known : await renew()).accessToken;
    },
    replace: async (refused) => (known && known.accessToken !== refused ? known : await renew()).accessToken,
  };
}

function isGood({ renewAt }: AccessToken): boolean {
  return Date.now() < renewAt;
}

async function requestToken(
  { tokenUrl, clientId, clientSecret, scope }: ClientCredentials,
  http: HttpSettings,
): Promise<AccessToken> {
  const askedAt = Date.now();
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
  const init = { method: 'POST', headers: { authorization: basic(clientId, clientSecret) }, body: form };
  return exchange(http, tokenUrl, init, async (response) => {
    if (response.status >= 500 || response.status === 429) throw await toApiError(response);
    const answer = await readJson(response);
    const { access_token: accessToken, expires_in: expiresIn, error } = answer;
    if (response.ok && typeof accessToken === 'string') {
      const lifeMs = (typeof expiresIn === 'number' ? expiresIn : unknownLifeSeconds) * 1000;
      return { accessToken, renewAt: askedAt + lifeMs - Math.min(marginMs, lifeMs / 2) };
    }
    const oauthError = typeof error === 'string' ? error : undefined;
    throw new TokenError(
      `${new URL(tokenUrl).origin} gives no token to the client "${clientId}": ${oauthError ?? response.status}.`,
      oauthError,
    );
  });
}

async function readJson(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const text = await response.text();
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Id and secret are form-encoded first (RFC 6749, section 2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((part) => encodeURIComponent(part).replaceAll('%20', '+'));
  return `Basic ${btoa(encoded.join(':'))}`;
}
