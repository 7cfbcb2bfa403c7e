import { safeAddress } from './addresses.ts';
import { Api } from './api.ts';
import { Events } from './events.ts';
import { type HttpSettings, withLimits } from './http.ts';
import { Insights } from './insights.ts';
import { Notices } from './notices.ts';
import type { RateLimit } from './rate-limit.ts';
import { type ClientCredentials, type TokenSource, type Tokens, tokensFrom, tokensOf } from './tokens.ts';
import { Transcriptions } from './transcriptions.ts';
import { Webhooks } from './webhooks.ts';

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
  /** The platform's events that the service refused. */
  readonly events: Events;
  /** What the service tells: list it, or follow it. */
  readonly notices: Notices;
  /** The addresses that get notices, and their deliveries. */
  readonly webhooks: Webhooks;
  readonly #api: Api;
  readonly #tokens: Tokens;

  /**
   * Throws a `TypeError` if the options have neither a token nor credentials, or if an address is neither https nor on this
   * machine: secrets would be sent unencrypted.
   */
  constructor(options: RoomscribeOptions) {
    if (!options) throw new TypeError(howToBegin);
    const { maxRetries = 4, timeoutMs = 35_000, onRetry } = options;
    const send = options.fetch ?? ((...request) => fetch(...request));
    const http = withLimits({ fetch: send, maxRetries, timeoutMs, onRetry }, {});
    this.#tokens = tokensBy(options, http);
    this.#api = new Api(safeAddress('apiUrl', options.apiUrl), this.#tokens, http);
    this.transcriptions = new Transcriptions(this.#api);
    this.insights = new Insights(this.#api);
    this.events = new Events(this.#api);
    this.notices = new Notices(this.#api);
    this.webhooks = new Webhooks(this.#api);
  }

  /** The rate limit of the latest answer of the API, to all clients of the organization together. Undefined before it. */
  get rateLimit(): RateLimit | undefined {
    return this.#api.rateLimit;
  }

  /** Returns the token that the next call sends: the current one, or a new one. The token is a secret. */
  accessToken(): Promise<string> {
    return this.#tokens.get();
  }
}

const howToBegin = 'Options must have apiUrl, and either token, or tokenUrl, clientId and clientSecret.';

function tokensBy(options: RoomscribeOptions, http: HttpSettings): Tokens {
  if ('token' in options && options.token) return tokensFrom(options.token);
  if (!('clientId' in options && options.clientId && options.clientSecret)) throw new TypeError(howToBegin);
  return tokensOf({ ...options, tokenUrl: safeAddress('tokenUrl', options.tokenUrl) }, http);
}
