import { type Route, routes, rowMediaTypes } from './contract.ts';
import { AuthenticationError, answerInWords, ConnectionError, NotFoundError, toApiError } from './errors.ts';
import { exchange, type HttpSettings, withLimits, withRetries } from './http.ts';
import { type RateLimit, rateLimitOf } from './rate-limit.ts';
import { type RowPage, readRows } from './rows.ts';
import { anyOf, unlessAborted } from './signals.ts';
import type { Tokens } from './tokens.ts';
import type { Answers, Bodies, Queries, RowFormat } from './types.ts';

/** The options of every call. */
export type CallOptions = {
  /** Aborts the call: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt of this call in milliseconds, instead of that of the client. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of this call, instead of that of the client. */
  readonly maxRetries?: number | undefined;
};

/** The name of an operation in the contract. */
export type Operation = keyof typeof routes;

/** The variable parts of a request. */
export type RequestParts<Name extends Operation> = {
  /** The values of the path. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Queries[Name];
  readonly body?: Bodies[Name];
  /** The media type of the answer. Default: JSON. */
  readonly accept?: string;
  /** Default: a new key for each call that supports one. All retries of the call have the same key. */
  readonly idempotencyKey?: string | undefined;
};

/** Reads a successful answer. */
export type Read<Result> = (response: Response) => Promise<Result> | Result;

/** Calls operations of the contract. */
export class Api {
  readonly #url: string;
  readonly #tokens: Tokens;
  readonly #http: HttpSettings;
  #rateLimit: RateLimit | undefined;
  #answeredAt: number | undefined;

  constructor(url: string, tokens: Tokens, http: HttpSettings) {
    this.#url = url;
    this.#tokens = tokens;
    this.#http = http;
  }

  /** The rate limit of the latest answer that had one. */
  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  /** When the latest answer was sent, by the clock of the service, in milliseconds. Undefined if it did not say. */
  get answeredAt(): number | undefined {
    return this.#answeredAt;
  }

  /** Calls an operation whose answer has a JSON body, and returns the body. */
  json<Name extends Operation>(
    name: Name,
    parts: RequestParts<Name>,
    options: CallOptions = {},
  ): Promise<Answers[Name]> {
    return this.#call(name, parts, (answer) => readJson<Answers[Name]>(answer, routes[name].answer), options);
  }

  /** Calls an operation whose answer is a list or an array, and returns it as rows. */
  rows<Name extends Operation>(
    name: Name,
    parts: Pick<RequestParts<Name>, 'params' | 'query'>,
    format: RowFormat,
    options: CallOptions = {},
  ): Promise<RowPage> {
    return this.#call(name, { ...parts, accept: rowMediaTypes[format] }, (answer) => readRows(answer, format), options);
  }

  /** The calls that fetch the pages of a list, as JSON or as rows. */
  pages<Name extends Operation>(name: Name, options: CallOptions, params?: RequestParts<Name>['params']) {
    return {
      json: (query: Queries[Name]) => this.json(name, { params, query }, options),
      rows: (query: Queries[Name], format: RowFormat) => this.rows(name, { params, query }, format, options),
    };
  }

  /** Calls an operation whose answer has no body, and returns its headers. */
  headers<Name extends Operation>(name: Name, parts: RequestParts<Name>, options: CallOptions = {}): Promise<Headers> {
    return this.#call(name, parts, ({ headers }) => headers, options);
  }

  /** Fetches the file of an access link, without a token. */
  async follow<Result>(link: string, read: Read<Result>, { signal, ...limits }: CallOptions = {}): Promise<Result> {
    const own = anyOf(signal);
    const http = withLimits(this.#http, limits);
    const readFile: Read<Result> = (answer) => (answer.ok ? read(answer) : failFile(answer));
    return withRetries(http, () => exchange(http, link, {}, readFile, own), own);
  }

  async #call<Name extends Operation, Result>(
    name: Name,
    parts: RequestParts<Name>,
    read: Read<Result>,
    { signal, ...limits }: CallOptions,
  ): Promise<Result> {
    const own = anyOf(signal);
    const http = withLimits(this.#http, limits);
    const route = routes[name];
    const url = urlOf(this.#url, route, parts);
    const { headers, ...request } = requestOf(route, parts);
    const readAnswer: Read<Result> = (answer) => {
      this.#rateLimit = rateLimitOf(answer.headers) ?? this.#rateLimit;
      this.#answeredAt = timeOf(answer.headers);
      return answer.status === route.successStatus ? read(answer) : fail(answer);
    };
    const send = (token: string) => {
      const init = { ...request, headers: { ...headers, authorization: `Bearer ${token}` } };
      return withRetries(http, () => exchange(http, url, init, readAnswer, own), own);
    };
    return this.#authorized(send, own);
  }

  /** Sends a call. If the API refuses the token, which can end early, sends the call once more with another token. */
  async #authorized<Result>(
    send: (token: string) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const token = await unlessAborted(this.#tokens.get(), signal);
    try {
      return await send(token);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      const other = await unlessAborted(this.#tokens.replace(token), signal);
      if (other === undefined) throw error;
      return send(other);
    }
  }
}

async function fail(response: Response): Promise<never> {
  throw response.ok ? unexpected(response) : await toApiError(response);
}

/** Throws for an error of the file storage, which does not use the API's format of errors. */
async function failFile(response: Response): Promise<never> {
  const { status } = response;
  const said = `The storage of the file answered ${status}.`;
  if (status >= 500) throw await toApiError(response, said);
  if (status !== 404) throw new ConnectionError('unexpected_answer', said);
  const message = 'The file no longer exists: its transcription was deleted, or it has expired.';
  throw new NotFoundError({ status, code: 'transcript_not_found', message });
}

function urlOf(apiUrl: string, { path }: Route, { params, query }: RequestParts<Operation>): URL {
  const values: Readonly<Record<string, unknown>> = params ?? {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, values[name]));
  const url = new URL(`${apiUrl}${filled}`);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function requestOf({ method, takesIdempotencyKey }: Route, { accept, body, idempotencyKey }: RequestParts<Operation>) {
  return {
    method,
    headers: {
      ...(accept !== undefined && { accept }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(takesIdempotencyKey && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** Encodes a part of a path. An empty part, or one of dots, would change the path, so it throws. */
function segment(name: string, value: unknown): string {
  if (typeof value === 'string' && /[^.]/.test(value)) return encodeURIComponent(value);
  throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}.`);
}

/** Returns the body after checking only its outermost type, because client and service can have different versions. */
async function readJson<Result>(response: Response, answer: Route['answer']): Promise<Result> {
  const body = parseJson(await response.text(), () => unexpected(response));
  const list = answer === 'page' ? (body as { readonly results?: unknown } | null)?.results : body;
  const isExpected = answer === 'object' ? typeof body === 'object' && body !== null : Array.isArray(list);
  if (!isExpected) throw unexpected(response);
  return body as Result;
}

/** Parses JSON. Throws the error of `otherwise` if the text is not JSON. */
export function parseJson(text: string, otherwise: () => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw otherwise();
  }
}

function unexpected(response: Response): ConnectionError {
  const what = `${answerInWords(response)}, but the answer is not from this API.`;
  return new ConnectionError('unexpected_answer', `${what} A proxy or the login page of a network can do that.`);
}

/** Pages of other sites cannot read this header. */
function timeOf(headers: Headers): number | undefined {
  const time = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}
