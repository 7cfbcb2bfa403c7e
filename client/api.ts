import { type Route, routes } from './contract.ts';
import { AuthenticationError, ConnectionError, toApiError } from './errors.ts';
import { exchange, type HttpSettings, withRetries } from './http.ts';
import { unlessAborted } from './signals.ts';
import type { Tokens } from './tokens.ts';

/** What every call takes. */
export type CallOptions = {
  /** Ends the call: its promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** The variable parts of a request. */
export type RequestParts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** One is made up for a call that takes one: it is the same for each of its repetitions. */
  readonly idempotencyKey?: string | undefined;
};

/** Calls operations of the contract. */
export class Api {
  readonly #url: string;
  readonly #tokens: Tokens;
  readonly #http: HttpSettings;

  constructor(url: string, tokens: Tokens, http: HttpSettings) {
    this.#url = url.replace(/\/+$/, '');
    this.#tokens = tokens;
    this.#http = http;
  }

  /** Calls an operation whose answer has a JSON body, and returns that. */
  async json<Result>(name: keyof typeof routes, parts: RequestParts, { signal }: CallOptions = {}): Promise<Result> {
    return this.#call(routes[name], parts, readJson<Result>, signal);
  }

  /** Calls an operation whose answer has no body, and returns its headers. */
  async headers(name: keyof typeof routes, parts: RequestParts, { signal }: CallOptions = {}): Promise<Headers> {
    return this.#call(routes[name], parts, ({ headers }) => headers, signal);
  }

  /** Fetches what a link of the API leads to, without a token; the answer's body has not been read yet. */
  async follow(link: string, { signal }: CallOptions = {}): Promise<Response> {
    const open = (response: Response) => (response.ok ? response : fail(response));
    return withRetries(this.#http, () => exchange(this.#http, link, {}, open, signal), signal);
  }

  async #call<Result>(
    route: Route,
    parts: RequestParts,
    read: (response: Response) => Promise<Result> | Result,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const url = urlOf(this.#url, route, parts);
    const request = requestOf(route, parts);
    const attempt = async (token: string) => {
      const init = { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
      return exchange(
        this.#http,
        url,
        init,
        (response) => {
          if (response.status === route.successStatus) return read(response);
          if (response.ok) throw unexpected(response);
          return fail(response);
        },
        signal,
      );
    };
    return withRetries(
      this.#http,
      async () => {
        const token = await unlessAborted(this.#tokens.get(), signal);
        try {
          return await attempt(token);
        } catch (error) {
          if (!(error instanceof AuthenticationError)) throw error;
          const other = await unlessAborted(this.#tokens.replace(token), signal);
          if (other === undefined) throw error;
          return attempt(other);
        }
      },
      signal,
    );
  }
}

async function fail(response: Response): Promise<never> {
  throw await toApiError(response);
}

function urlOf(apiUrl: string, { path }: Route, { params = {}, query = {} }: RequestParts): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(`${apiUrl}${filled}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function requestOf({ method, takesIdempotencyKey }: Route, { body, idempotencyKey }: RequestParts) {
  return {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(takesIdempotencyKey && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function readJson<Result>(response: Response): Promise<Result> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected(response, { cause });
  }
}

function unexpected({ status }: Response, options?: ErrorOptions): ConnectionError {
  const message = `The answer (${status}) is none of this API's. Is apiUrl its address?`;
  return new ConnectionError('unexpected_answer', message, options);
}
