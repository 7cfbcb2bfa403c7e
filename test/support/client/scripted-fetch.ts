import { vi } from 'vitest';

/** The outcome of one request: an answer, a network error, or silence until the request is aborted. */
export type Scripted = Response | Error | 'silence';

/** A request that was sent. */
export type SentRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
};

/**
 * A `fetch` that answers requests in the order of the script and then repeats the last entry. `sent` collects the
 * requests.
 */
export function scriptedFetch(...script: readonly Scripted[]) {
  const sent: SentRequest[] = [];
  const answer = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(input, init);
    const body = (await request.text()) || undefined;
    sent.push({ method: request.method, url: new URL(request.url), headers: request.headers, body });
    const scripted = script[Math.min(sent.length, script.length) - 1];
    if (scripted instanceof Response) return scripted.clone();
    if (scripted instanceof Error) throw scripted;
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true });
    });
  };
  return { fetch: vi.fn(answer), sent };
}

/** An answer with a JSON body. */
export function answerOf(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** An answer of an issuer: a token with this lifetime. */
export function tokenAnswer(accessToken: string, expiresInSeconds?: number): Response {
  return answerOf(200, { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds });
}

/** The error that fetch throws in Node for a refused connection. */
export function refusedConnection(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
}
