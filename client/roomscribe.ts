import { Api } from './api.ts';
import type { HttpSettings } from './http.ts';
import { Insights } from './insights.ts';
import { type ClientCredentials, type TokenSource, type Tokens, tokensFrom, tokensOf } from './tokens.ts';
import { Transcriptions } from './transcriptions.ts';

/** Where the API is, who calls it, and how. */
export type RoomscribeOptions = (ClientCredentials | GivenToken) & {
  /** `ApiUrl` of the stack's outputs. */
  readonly apiUrl: string;
  /** How often a call is sent again that failed in passing; 4 if left out. */
  readonly maxRetries?: number | undefined;
  /** How long one attempt may take, in milliseconds, or `Infinity`; 35 000 if left out: the gateway waits up to 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Is told before a call is sent again: why, and after which pause in milliseconds. */
  readonly onRetry?: HttpSettings['onRetry'];
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined;
};

/** A token that somebody else gets: a function is asked before each call, and again where its token was refused. */
export type GivenToken = {
  /** Visible ASCII characters, as in every JWT. */
  readonly token: TokenSource;
};

/** A client of one organization at one deployment. It may be used by many calls at once. */
export class Roomscribe {
  /** Create, wait for, list, get, download and delete transcriptions. */
  readonly transcriptions: Transcriptions;
  /** Who was in which room, for how long, and how good their network was. */
  readonly insights: Insights;

  /**
   * Throws a `TypeError` where there is neither a token nor a way to one, and for an address that is neither https nor on
   * this machine: secrets would travel in the clear.
   */
  constructor(options: RoomscribeOptions) {
    if (!options) throw new TypeError(howToBegin);
    const { maxRetries = 4, timeoutMs = 35_000, onRetry } = options;
    if (!Number.isInteger(maxRetries) || maxRetries < 0)
      throw new TypeError('maxRetries must be a whole number from 0 on.');
    if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be a number of milliseconds above 0.');
    const send = options.fetch ?? ((...request) => fetch(...request));
    const http: HttpSettings = { fetch: send, maxRetries, timeoutMs, onRetry };
    const api = new Api(safeAddress('apiUrl', options.apiUrl), tokensBy(options, http), http);
    this.transcriptions = new Transcriptions(api);
    this.insights = new Insights(api);
  }
}

const howToBegin = 'Give apiUrl, and a token or else tokenUrl, clientId and clientSecret.';

function tokensBy(options: RoomscribeOptions, http: HttpSettings): Tokens {
  if ('token' in options && options.token) return tokensFrom(options.token);
  if (!('clientId' in options && options.clientId && options.clientSecret)) throw new TypeError(howToBegin);
  return tokensOf({ ...options, tokenUrl: safeAddress('tokenUrl', options.tokenUrl) }, http);
}

const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The address without a slash at its end. */
function safeAddress(name: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && thisMachine.test(url.hostname));
  if (!url || !isSafe || url.username || url.password || url.search || url.hash) {
    throw new TypeError(
      `${name} must be an https address, without a user, a query or a fragment; http is for this machine alone.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
