import { TokenError, toApiError } from './errors.ts';
import { exchange, type HttpSettings, withRetries } from './http.ts';

/** An access token, and the time at which the client renews it. */
export type AccessToken = {
  /** The token, which is a secret. */
  readonly accessToken: string;
  /** A time shortly before the token expires, in epoch milliseconds. */
  readonly renewAt: number;
};

/** Stores the token of one client outside this process, because the operator pays for every token. */
export type TokenStore = {
  /** Returns the token that was written last, or undefined. The client calls it before its first API call, and again only after an error. The API call rethrows its errors. */
  readonly read: () => Promise<AccessToken | undefined>;
  /** Replaces the stored token. The call rethrows its errors. */
  readonly write: (token: AccessToken) => Promise<void>;
};

/** The credentials for token requests (OAuth 2.0 client credentials, RFC 6749, section 4.4). */
export type ClientCredentials = {
  /** `TokenUrl` of the stack's outputs, or the token endpoint of your own issuer. */
  readonly tokenUrl: string;
  /** The client id of the organization. */
  readonly clientId: string;
  /** The client secret. Never use it in a browser. */
  readonly clientSecret: string;
  /** Scopes separated by spaces, only for issuers that require them. */
  readonly scope?: string | undefined;
  /** Stores the token outside this process. */
  readonly tokenStore?: TokenStore | undefined;
};

/** The source of tokens for calls. */
export type Tokens = {
  readonly get: () => Promise<string>;
  /** Returns a token to try instead of one that the API refused, or undefined. */
  readonly replace: (refused: string) => Promise<string | undefined>;
};

/** The client renews a token this long before it expires, or at half of its lifetime if that is later. */
const marginMs = 60_000;
/** Assumed lifetime of a token if the issuer does not return one. */
const unknownLifeSeconds = 300;

/** A token, or a function that returns one. After a refusal, the function gets the token that the API refused. */
export type TokenSource = string | ((refused?: string) => string | Promise<string>);

/** Tokens from the caller. A function is called before each call, and again if the API refuses its token. */
export function tokensFrom(source: TokenSource): Tokens {
  const ask = async (refused?: string) => {
    const token = typeof source === 'string' ? source : await source(refused);
    if (typeof token === 'string' && isSendable(token)) return token;
    const subject = typeof source === 'function' ? 'The token function returned no token' : 'The token is invalid';
    throw new TypeError(`${subject}: a token consists of visible ASCII characters.`);
  };
  return {
    get: () => ask(),
    replace: async (refused) => {
      const other = await ask(refused);
      return other === refused ? undefined : other;
    },
  };
}

/** Tokens by client credentials. All calls that wait for a token share one request. */
export function tokensOf(credentials: ClientCredentials, http: HttpSettings): Tokens {
  const { tokenStore } = credentials;
  let known: AccessToken | undefined;
  let reading: Promise<void> | undefined;
  let renewal: Promise<AccessToken> | undefined;

  const read = async (): Promise<void> => {
    try {
      known = await tokenStore?.read();
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };
  const request = async (): Promise<AccessToken> => {
    try {
      known = await withRetries(http, () => requestToken(credentials, http));
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
      reading ??= read();
      await reading;
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
  const { origin } = new URL(tokenUrl);
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
  const init = { method: 'POST', headers: { authorization: basic(clientId, clientSecret) }, body: form };
  return exchange(http, tokenUrl, init, async (response) => {
    const { status, ok } = response;
    if (status >= 500 || status === 429) {
      throw await toApiError(response, `The token endpoint ${origin} answered ${status}.`);
    }
    const { access_token: accessToken, expires_in: expiresIn, error } = await readJson(response);
    if (ok && typeof accessToken === 'string' && isSendable(accessToken)) {
      const lifeMs = (Number(expiresIn) || unknownLifeSeconds) * 1000;
      return { accessToken, renewAt: askedAt + lifeMs - Math.min(marginMs, lifeMs / 2) };
    }
    const oauthError = typeof error === 'string' ? error : undefined;
    const reason = oauthError ?? (ok ? 'the answer has no token' : String(status));
    throw new TokenError(`${origin} issued no token to the client "${clientId}": ${reason}.`, oauthError);
  });
}

/** Whether a header can contain the token. The error of an invalid header would quote the token, which is a secret. */
function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

async function readJson(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const text = await response.text();
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** The header for HTTP Basic. Id and secret are form-encoded first (RFC 6749, section 2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((part) => encodeURIComponent(part).replaceAll('%20', '+'));
  return `Basic ${btoa(encoded.join(':'))}`;
}
