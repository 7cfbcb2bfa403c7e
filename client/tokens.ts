import { TokenError, toApiError } from './errors.ts';
import { exchange, type HttpSettings, withRetries } from './http.ts';

/** An access token, and when it is to be renewed. */
export type AccessToken = {
  /** The token itself: a secret. */
  readonly accessToken: string;
  /** Shortly before its end, in epoch milliseconds. */
  readonly renewAt: number;
};

/** Keeps the token of one client beyond this process: every token that is asked for is paid for by the operator. */
export type TokenStore = {
  /** What was written last; undefined where there is nothing. Called once. */
  readonly read: () => Promise<AccessToken | undefined>;
  /** Keeps a new token in the place of the one before. What it throws, the call throws. */
  readonly write: (token: AccessToken) => Promise<void>;
};

/** What tokens are asked for with (OAuth 2.0 client credentials, RFC 6749, section 4.4). */
export type ClientCredentials = {
  /** `TokenUrl` of the stack's outputs, or the token endpoint of an issuer of your own. */
  readonly tokenUrl: string;
  /** The organization's client. */
  readonly clientId: string;
  /** Its secret: never in a browser. */
  readonly clientSecret: string;
  /** Only for issuers that want one named; scopes are separated by spaces. */
  readonly scope?: string | undefined;
  /** Where tokens are kept beyond this process. */
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
  const ask = async (refused?: string) => {
    const token = typeof source === 'string' ? source : await source(refused);
    if (typeof token === 'string' && isSendable(token)) return token;
    throw new TypeError('The token is none: it must be a text of visible ASCII characters.');
  };
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
      throw await toApiError(response, `${origin}, which gives the tokens, answered ${status}.`);
    }
    const { access_token: accessToken, expires_in: expiresIn, error } = await readJson(response);
    if (ok && typeof accessToken === 'string' && isSendable(accessToken)) {
      const lifeMs = (Number(expiresIn) || unknownLifeSeconds) * 1000;
      return { accessToken, renewAt: askedAt + lifeMs - Math.min(marginMs, lifeMs / 2) };
    }
    const oauthError = typeof error === 'string' ? error : undefined;
    const reason = oauthError ?? (ok ? 'its answer holds none' : String(status));
    throw new TokenError(`${origin} gives no token to the client "${clientId}": ${reason}.`, oauthError);
  });
}

/** A header can carry it. One that it cannot must never get as far as an error that quotes it. */
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

/** Id and secret are form-encoded first (RFC 6749, section 2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((part) => encodeURIComponent(part).replaceAll('%20', '+'));
  return `Basic ${btoa(encoded.join(':'))}`;
}
