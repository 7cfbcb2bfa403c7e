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
  /** How long one attempt may take, in milliseconds; 35 000 if left out, since the gateway waits up to 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Is told before a call is sent again: why, and after which pause in milliseconds. */
  readonly onRetry?: HttpSettings['onRetry'];
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined;
};

/** A token that somebody else gets: a function is asked before each call, and again where its token was refused. */
export type GivenToken = { readonly token: TokenSource };

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
    const { apiUrl, maxRetries = 4, timeoutMs = 35_000, onRetry } = options;
    const send = options.fetch ?? ((...request) => fetch(...request));
    const http: HttpSettings = { fetch: send, maxRetries, timeoutMs, onRetry };
    requireSafe('apiUrl', apiUrl);
    const api = new Api(apiUrl, tokensBy(options, http), http);
    this.transcriptions = new Transcriptions(api);
    this.insights = new Insights(api);
  }
}

function tokensBy(options: RoomscribeOptions, http: HttpSettings): Tokens {
  if ('token' in options && options.token) return tokensFrom(options.token);
  if (!('clientId' in options && options.clientId && options.clientSecret)) {
    throw new TypeError('Give a token, or tokenUrl, clientId and clientSecret.');
  }
  requireSafe('tokenUrl', options.tokenUrl);
  return tokensOf(options, http);
}

const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function requireSafe(name: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && thisMachine.test(url.hostname))) return;
  throw new TypeError(`${name} must be an https address, such as https://abc.execute-api.eu-west-1.amazonaws.com.`);
}
