import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A listener whose own failure is a 500; that of a caller who went away in mid-request is nobody's. */
export function guarded(
  listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    listener(request, response).catch((error: unknown) => {
      if (request.destroyed || response.headersSent) {
        response.destroy();
        return;
      }
      console.error(`${request.method} ${request.url?.split('?')[0]} failed:`, error);
      answerJson(response, 500, { message: 'Internal Server Error' });
    });
  };
}

/** A request's body, or that it is longer than is allowed. */
export type Body = { readonly complete: true; readonly bytes: Buffer } | { readonly complete: false };

/** Reads a body of at most `limit` bytes. Of a longer one it keeps nothing, and lets the rest run past. */
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
