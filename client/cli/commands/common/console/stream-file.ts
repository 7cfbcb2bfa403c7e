import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { plainAnswer } from '../../../../../console/serving/files.ts';
import { inertHeaders, pick, send } from './answers.ts';
import { answerTimeoutMs, reasonOf } from './forward.ts';

const requestHeaders = ['range', 'if-range', 'if-none-match'] as const;
const answerHeaders = [
  ...['content-type', 'content-length', 'content-range', 'content-disposition'],
  ...['accept-ranges', 'etag', 'last-modified'],
];

/**
 * Streams the file behind a link to the browser, or the part of it that the browser asks for. The file gets no cookie and no
 * token. It follows no redirect: the console asks for links of 15 minutes, which are of S3, and those of the API are
 * longer.
 */
export async function streamFile(request: IncomingMessage, response: ServerResponse, link: string): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const waiting = setTimeout(() => gone.abort(new DOMException('', 'TimeoutError')), answerTimeoutMs);
  try {
    const file = await fetch(link, { headers: headersOf(request), redirect: 'error', signal: gone.signal });
    clearTimeout(waiting);
    if (file.status >= 400 && file.status !== 416) {
      await file.body?.cancel();
      return send(
        response,
        plainAnswer(file.status === 404 ? 404 : 502, `The storage of the file answered ${file.status}.`),
      );
    }
    response.writeHead(file.status, { ...inertHeaders, ...pick(file.headers, answerHeaders) });
    if (request.method === 'HEAD' || !file.body) {
      await file.body?.cancel();
      response.end();
      return;
    }
    await pipeline(Readable.fromWeb(file.body as Parameters<typeof Readable.fromWeb>[0]), response);
  } catch (error) {
    if (response.headersSent)
      response.destroy(); // the browser sees that the file is not complete
    else send(response, plainAnswer(502, `${new URL(link).origin} ${reasonOf(error)}.`));
  } finally {
    clearTimeout(waiting);
  }
}

/** Without compression, lengths and ranges are those of the file. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const given = requestHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  return { 'accept-encoding': 'identity', ...Object.fromEntries(given) };
}
