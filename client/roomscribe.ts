import { Api } from './api.ts';
import type { HttpSettings } from './http.ts';
import { Insights } from './insights.ts';
import { type ClientCredentials, type TokenSource, type Tokens, tokensFrom, tokensOf } from './tokens.ts';
import { Transcriptions } from './transcriptions.ts';

/** The options of a client: the address of the API, the credentials, and the HTTP settings. */
export type RoomscribeOptions = (ClientCredentials | GivenToken) & {
  /** `ApiUrl` of the stack's outputs. */
  readonly apiUrl: string;
  /** Maximum number of retries after a temporary failure. Default: 4. */
  readonly maxRetries?: number | undefined;
  /** Time limit of one attempt in milliseconds, or `Infinity`. Default: 35 000, because the gateway waits up to 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Called before each retry, with the error and the pause in milliseconds. */
  readonly onRetry?: HttpSettings['onRetry'];
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/** Your own token. A function is called before each call, and again if the API refuses its token. */
export type GivenToken = {
  /** Visible ASCII characters, as in every JWT. */
  readonly token: TokenSource;
};

/** A client of one organization in one deployment. It can run many calls at once. */
export class Roomscribe {
  /** Create, wait for, list, get, download and delete transcriptions. */
  readonly transcriptions: Transcriptions;
  /** Who was in which room, for how long, and how good their network was. */
  readonly insights: Insights;

  /**
   * Throws a `TypeError` if the options have neither a token nor credentials, or if an address is neither https nor on this
   * machine: secrets would be sent unencrypted.
   */
  constructor(options: RoomscribeOptions) {
    if (!options) throw new TypeError(howToBegin);
    const { maxRetries = 4, timeoutMs = 35_000, onRetry } = options;
    if (!Number.isInteger(maxRetries) || maxRetries < 0)
      throw new TypeError('maxRetries must be a whole number, 0 or greater.');
    if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be a number of milliseconds greater than 0.');
    const send = options.fetch ?? ((...request) => fetch(...request));
    const http: HttpSettings = { fetch: send, maxRetries, timeoutMs, onRetry };
    const api = new Api(safeAddress('apiUrl', options.apiUrl), tokensBy(options, http), http);
    this.transcriptions = new Transcriptions(api);
    this.insights = new Insights(api);
  }
}

const howToBegin = 'Options must have apiUrl, and either token, or tokenUrl, clientId and clientSecret.';

function tokensBy(options: RoomscribeOptions, http: HttpSettings): Tokens {
  if ('token' in options && options.token) return tokensFrom(options.token);
  if (!('clientId' in options && options.clientId && options.clientSecret)) throw new TypeError(howToBegin);
  return tokensOf({ ...options, tokenUrl: safeAddress('tokenUrl', options.tokenUrl) }, http);
}

const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns the address without a trailing slash. Throws if tokens and secrets would be sent unencrypted. */
function safeAddress(name: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && thisMachine.test(url.hostname));
  if (!url || !isSafe || url.username || url.password || url.search || url.hash) {
    throw new TypeError(
      `${name} must be an https URL without user, query or fragment. Only addresses of this machine can be http.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
