import { vi } from 'vitest';

/** What a server would say to one request: an answer, a fault of the network, or silence until the request is aborted. */
export type Scripted = Response | Error | 'silence';

/** A request as it was sent. */
export type SentRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
};

/** A `fetch` that answers its requests in the order of the script, the last of it again and again; `sent` has them. */
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

/** An answer of an issuer: a token that lives this long. */
export function tokenAnswer(accessToken: string, expiresInSeconds?: number): Response {
  return answerOf(200, { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds });
}

/** What fetch throws where nobody listens, as Node does. */
export function refusedConnection(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
}
