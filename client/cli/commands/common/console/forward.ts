import type { IncomingMessage } from 'node:http';
import type { ConsoleAnswer } from '../../../../../console/serving/files.ts';
import { nextCursorHeader, rateLimitNames } from '../../../../contract.ts';
import { RoomscribeError, TokenError } from '../../../../errors.ts';
import type { Tokens } from '../../../../tokens.ts';
import { Problem } from '../../../problems.ts';
import { errorAnswer, inertHeaders, pick } from './answers.ts';
import { type Links, linkAnswers } from './links.ts';

/** The API behind the console. */
export type Upstream = {
  /** The address of the API, without a slash at the end. */
  readonly apiUrl: string;
  readonly tokens: Tokens;
  readonly links: Links;
  /** What to do if the account is refused. */
  readonly remedy: string;
};

/** The paths that are forwarded begin with this. */
export const apiPath = '/v1/';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const requestHeaders = ['content-type', 'accept', 'idempotency-key', 'if-none-match', 'range'];
/** What the API shows to pages of other origins, and the type of the body. */
const answerHeaders = [
  ...['content-type', 'retry-after', 'location', 'etag', 'www-authenticate', 'apigw-requestid'],
  ...Object.values(rateLimitNames),
  nextCursorHeader,
];
const largestBodyBytes = 1_000_000;
const mostDecodings = 10;
/** The gateway answers within 30 seconds. */
export const answerTimeoutMs = 35_000;

/**
 * Forwards a call to the API with the token of the account. The API gets none of the browser's cookies, credentials and addresses, and
 * the browser none of the token. It follows no redirect.
 */
export async function forward(request: IncomingMessage, upstream: Upstream, gone: AbortSignal): Promise<ConsoleAnswer> {
  const { method = '', url = '' } = request;
  if (!methods.includes(method)) return errorAnswer(405, 'invalid_request', `${method} is not forwarded to the API.`);
  const address = addressOf(upstream.apiUrl, url);
  const headers = headersOf(request);
  if (!address || !headers) return errorAnswer(400, 'invalid_request', 'The path or a header is malformed.');
  const body = await readBody(request);
  if (body === 'tooLarge') return errorAnswer(413, 'payload_too_large', 'The body is larger than 1 MB.');
  try {
    const init = { method, headers, redirect: 'manual' as const, ...(method !== 'GET' && body.length > 0 && { body }) };
    const answer = await callWithToken(address, init, upstream.tokens, gone);
    return await answerOf(answer, request, upstream);
  } catch (error) {
    return failureOf(error, upstream);
  }
}

/** The address of a call. Undefined for a path that would be another one when it is read: with dots, or with a host. */
function addressOf(apiUrl: string, requested: string): URL | undefined {
  const [path = ''] = requested.split('?');
  const sent = `${apiUrl}${requested}`;
  if (!path.startsWith(apiPath) || !isPlain(path) || !URL.canParse(sent)) return undefined;
  const url = new URL(sent);
  return url.href === sent ? url : undefined; // nothing was left out, decoded or replaced
}

/**
 * Whether no part of a path is one or two dots, however often it is decoded: a server behind the gateway could go up by them. Some servers
 * leave out what follows a semicolon. A path that is still encoded after ten times is not plain.
 */
function isPlain(path: string): boolean {
  if (!isDecodable(path)) return false;
  for (let text = path, times = 0; times <= mostDecodings; times++) {
    if (text.split(/[/\\]/).some((part) => /^\.\.?(;|$)/.test(part))) return false;
    const decoded = decodeAscii(text);
    if (decoded === text) return true;
    text = decoded;
  }
  return false;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Decodes the ASCII characters, which dots and slashes are. A name may contain a percent sign, so the others stay as they are. */
function decodeAscii(text: string): string {
  return text.replace(/%[0-7][\da-f]/gi, (encoded) => decodeURIComponent(encoded));
}

/** The headers that are forwarded. Undefined if one occurs twice. */
function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> | undefined {
  const given = requestHeaders.map((name) => [name, headersDistinct[name] ?? []] as const);
  if (given.some(([, values]) => values.length > 1)) return undefined;
  return Object.fromEntries(given.flatMap(([name, [value]]) => (value === undefined ? [] : [[name, value]])));
}

/** Reads the body of a call. Stops reading one that is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | 'tooLarge'> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > largestBodyBytes) return 'tooLarge';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Calls the API. If it refuses the token, which can end early, calls it once more with another one, as the library does. */
async function callWithToken(url: URL, init: RequestInit, tokens: Tokens, gone: AbortSignal): Promise<Response> {
  const call = (token: string) => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
    return fetch(url, { ...init, headers, signal: AbortSignal.any([gone, AbortSignal.timeout(answerTimeoutMs)]) });
  };
  const token = await tokens.get();
  const answer = await call(token);
  if (answer.status !== 401) return answer;
  const other = await tokens.replace(token);
  if (other === undefined) return answer;
  await answer.body?.cancel();
  return call(other);
}

async function answerOf(
  answer: Response,
  request: IncomingMessage,
  { apiUrl, links }: Upstream,
): Promise<ConsoleAnswer> {
  const { status, headers } = answer;
  if (status >= 300 && status < 400 && status !== 304) {
    await answer.body?.cancel();
    return errorAnswer(502, 'service_unavailable', `${new URL(apiUrl).origin} answered with a redirect.`);
  }
  const body = Buffer.from(await answer.arrayBuffer());
  const [path = ''] = (request.url ?? '').split('?');
  const isOfLink = request.method === 'GET' && status === 200 && linkAnswers.test(path);
  return {
    status,
    headers: { ...inertHeaders, ...pick(headers, answerHeaders) },
    body: isOfLink ? Buffer.from(links.replaceIn(body.toString('utf8'), `http://${request.headers.host}`)) : body,
  };
}

/** An error of the token endpoint or of the network, as the API would say it. */
function failureOf(error: unknown, { apiUrl, remedy }: Upstream): ConsoleAnswer {
  if (error instanceof TokenError) return errorAnswer(401, 'unauthorized', `${error.message} ${remedy}`);
  if (error instanceof Problem) return errorAnswer(500, 'internal_error', error.message);
  if (error instanceof RoomscribeError) return errorAnswer(502, 'service_unavailable', error.message);
  return errorAnswer(502, 'service_unavailable', `${new URL(apiUrl).origin} ${reasonOf(error)}.`);
}

/** Why `fetch` failed. Node has the reason in `cause`, such as ECONNREFUSED. */
export function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } };
  if (name === 'TimeoutError') return `did not answer within ${answerTimeoutMs / 1000} seconds`;
  return `could not be reached${typeof cause?.code === 'string' ? ` (${cause.code})` : ''}`;
}
