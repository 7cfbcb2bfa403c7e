import { Api } from './api.ts';
import type { HttpSettings } from './http.ts';
import { Insights } from './insights.ts';
import { type ClientCredentials, tokensFrom, tokensOf } from './tokens.ts';
import { Transcriptions } from './transcriptions.ts';

/** Where the API is, who calls it, and how. */
export type RoomscribeOptions = (ClientCredentials | GivenToken) & {
  /** `ApiUrl` of the stack's outputs. */
  readonly apiUrl: string;
  /** How often a call is sent again that failed in passing; 4 if left out. */
  readonly maxRetries?: number | undefined;
  /** How long one attempt may take, in milliseconds; 35 000 if left out, since the gateway waits up to 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined;
};

/** A token that somebody else gets; a function is asked before each call, and again where its token was refused. */
export type GivenToken = { readonly token: string | (() => string | Promise<string>) };

/** A client of one organization at one deployment. It may be used by many calls at once. */
export class Roomscribe {
  /** Create, wait for, list, get, download and delete transcriptions. */
  readonly transcriptions: Transcriptions;
  /** Who was in which room, for how long, and how good their network was. */
  readonly insights: Insights;

  /** Throws a `TypeError` for an address that is neither https nor on this machine: secrets would travel in the clear. */
  constructor(options: RoomscribeOptions) {
    const { apiUrl, maxRetries = 4, timeoutMs = 35_000 } = options;
    const http: HttpSettings = { fetch: options.fetch ?? ((...request) => fetch(...request)), maxRetries, timeoutMs };
    requireSafe('apiUrl', apiUrl);
    if ('tokenUrl' in options) requireSafe('tokenUrl', options.tokenUrl);
    const tokens = 'token' in options ? tokensFrom(options.token) : tokensOf(options, http);
    const api = new Api(apiUrl, tokens, http);
    this.transcriptions = new Transcriptions(api);
    this.insights = new Insights(api);
  }
}

const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function requireSafe(name: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && thisMachine.test(url.hostname))) return;
  throw new TypeError(`${name} must be an https address, such as https://abc.execute-api.eu-west-1.amazonaws.com.`);
}
