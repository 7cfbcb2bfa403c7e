import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A listener that returns 500 if it throws. Ignores the error if the caller has closed the connection. */
export function guarded(
  listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    listener(request, response).catch((error: unknown) => {
      if (request.destroyed || response.headersSent) {
        response.destroy();
        return;
      }
      console.error(`${request.method} ${loggable(request.url ?? '')} failed:`, error);
      answerJson(response, 500, { message: 'Internal Server Error' });
    });
  };
}

/** A path without its query, and without a part that is long enough to be the token of a link. */
export function loggable(url: string): string {
  return url.replace(/\?.*/s, '').replaceAll(/[^/]{43,}/g, '…');
}

/** The body of a request, or `complete: false` if it exceeds the limit. */
export type Body = { readonly complete: true; readonly bytes: Buffer } | { readonly complete: false };

/** Reads a body of at most `limit` bytes. Discards a longer one, but reads it to its end. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const tooLong = () => {
      chunks.length = 0;
      request.off('data', onData).resume();
      resolve({ complete: false });
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) tooLong();
      else chunks.push(chunk);
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) return tooLong();
    request.on('data', onData);
    request.on('end', () => resolve({ complete: true, bytes: Buffer.concat(chunks) }));
    request.on('error', reject);
    return undefined;
  });
}

/** Answers with JSON. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
