import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { mayBeOwnPage } from '#console/serving/askers.ts';
import { errorCode } from '#tools/shared/error-details.ts';
import { RequestTooLarge } from '../lambda/function-host.ts';
import type { Outcome } from '../lambda/function-thread.ts';
import { chooseAnotherPort } from '../ports.ts';
import { guarded, readBody } from '../services/http.ts';
import { listen, type RunningServer } from '../services/local-server.ts';
import type { Cors, Route, StackFunction } from '../template/stack.ts';
import { type Authorize, createAuthorizer } from './authorizer.ts';
import { corsHeaders, preflightAnswer } from './cors.ts';
import { functionResponse, type HttpResponse } from './function-response.ts';
import { authorizerEvent, requestEvent } from './request-event.ts';
import { createRouter, type RouteMatch } from './router.ts';

/** Answers requests for a page of the local runner. Undefined for others. */
export type OwnPage = (method: string, path: string) => Promise<HttpResponse | undefined>;

/** The routes of the API, and how to invoke their functions. */
export type HttpApiOptions = {
  readonly port: number;
  readonly routes: readonly Route[];
  readonly cors?: Cors | undefined;
  readonly invoke: (target: StackFunction, event: unknown) => Promise<Outcome>;
  /** Pages of the local runner that are not routes of the stack. They come before the routes. */
  readonly ownPages?: readonly OwnPage[];
  /** Whether requests that change data are refused. Those that read or delete still have room. */
  readonly isDiskFull?: () => boolean;
};

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
const largestBodyBytes = 10 * 1024 * 1024;
/** Longer than clients keep a connection. Node's 5 s can end just as a client sends on it, and the request is lost. */
const idleConnectionMs = 65_000;
const largestHeadBytes = 10_240;
/** How long running calls may continue when the API stops. */
const graceMs = 1000;

/** Serves the stack's HTTP API: routes, Lambda authorizer, CORS, payload format 2.0, and the gateway's own errors and limits. */
export async function startHttpApi(options: HttpApiOptions): Promise<RunningServer> {
  const { port, routes, cors, invoke, ownPages = [], isDiskFull = () => false } = options;
  const findRoute = createRouter(routes);
  const authorizers = createAuthorizers(routes, invoke);

  const respond = async (request: IncomingMessage, requestId: string): Promise<HttpResponse> => {
    const [path, query] = split(request.url ?? '/');
    const page = isForThisMachine(request) ? await firstPage(ownPages, request.method ?? '', path) : undefined;
    if (page) return page;
    const preflight = preflightAnswer(cors, request);
    if (preflight) return preflight;
    if (!isDecodable(path)) return gatewayError(400, 'Bad Request');
    const match = findRoute(request.method ?? '', path);
    if (!match) return gatewayError(404, 'Not Found');
    if (!roomless.includes(request.method ?? '') && isDiskFull()) return diskIsFull;
    const head = { request, requestId, match, path, query };
    const verdict = await authorizers.get(match.route)?.(request.headersDistinct.authorization?.join(','), (identity) =>
      authorizerEvent(head, identity),
    );
    if (verdict && 'status' in verdict) return gatewayError(verdict.status, verdict.message);
    const body = await readBody(request, largestBodyBytes);
    if (!body.complete) return gatewayError(413, 'Request Entity Too Large');
    const event = requestEvent({ ...head, body: body.bytes, authorizerContext: verdict?.context });
    return answerTo(await callFunction(match, event, invoke));
  };
  const server = createServer(
    { maxHeaderSize: largestHeadBytes, keepAliveTimeout: idleConnectionMs },
    guarded(async (request, response) => {
      const requestId = randomUUID();
      const { status, headers, body } = await respond(request, requestId);
      request.resume(); // discards the unread rest
      response.writeHead(status, { 'apigw-requestid': requestId, ...headers, ...corsHeaders(cors, request) });
      response.end(body);
    }),
  );
  server.on('clientError', answerBrokenRequest);
  return listen(server, port, { remedy: chooseAnotherPort, graceMs });
}

/**
 * False for a foreign name or another port that leads here, for a page of another site, and for a request through a tunnel or a proxy that
 * says so: they could otherwise read the token of an own page. Other tunnels and proxies cannot be told from this machine, so an own page has
 * no token if there is one.
 */
function isForThisMachine(request: IncomingMessage): boolean {
  const { host = [], ...others } = request.headersDistinct;
  const isDirect = !Object.keys(others).some((name) => ofProxies.test(name));
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${request.socket.localPort}`);
  return isDirect && mayBeOwnPage(request) && names.includes(host.join());
}

/** Headers that proxies and tunnels add. nginx adds none of them by itself. */
const ofProxies = /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|true-client-ip|cf-.+)$/;

async function firstPage(pages: readonly OwnPage[], method: string, path: string): Promise<HttpResponse | undefined> {
  for (const page of pages) {
    const answer = await page(method, path);
    if (answer) return answer;
  }
  return undefined;
}

function createAuthorizers(routes: readonly Route[], invoke: HttpApiOptions['invoke']): ReadonlyMap<Route, Authorize> {
  const created = new Map<string, Authorize>(); // one for all routes, because they share its cache
  return new Map(
    routes.flatMap((route) => {
      if (!route.authorizer) return [];
      const { id } = route.authorizer;
      const authorizer = created.get(id) ?? createAuthorizer(route.authorizer, { invoke });
      created.set(id, authorizer);
      return [[route, authorizer] as const];
    }),
  );
}

type CallResult = Outcome | 'tooLarge' | 'tooSlow';

async function callFunction(
  { route }: RouteMatch,
  event: unknown,
  invoke: HttpApiOptions['invoke'],
): Promise<CallResult> {
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<'tooSlow'>((resolve) => {
    timer = setTimeout(() => resolve('tooSlow'), route.timeoutMs);
  });
  try {
    return await Promise.race([invoke(route.function, event), tooSlow]);
  } catch (error) {
    if (error instanceof RequestTooLarge) return 'tooLarge';
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function answerTo(result: CallResult): HttpResponse {
  if (result === 'tooLarge') return gatewayError(413, 'Request Entity Too Large');
  if (result === 'tooSlow') return gatewayError(503, 'Service Unavailable');
  const answered = result.ok ? functionResponse(result.payload) : undefined;
  return answered ?? gatewayError(500, 'Internal Server Error');
}

/** An error of the gateway. Its body has a message only. */
function gatewayError(status: number, message: string, headers: OutgoingHttpHeaders = {}): HttpResponse {
  const body = Buffer.from(JSON.stringify({ message }));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** The methods that need next to no room. */
const roomless = ['GET', 'HEAD', 'DELETE'];

/** A published error of the API, because only the runner knows the reason. */
const diskIsFull: HttpResponse = {
  status: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '5' },
  body: Buffer.from(JSON.stringify({ code: 'service_unavailable', message: 'The disk of the machine is full.' })),
};

/** Responds to input that is not a valid request: headers over the limit, or no HTTP. */
function answerBrokenRequest(error: Error, socket: Duplex): void {
  if (errorCode(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLarge = errorCode(error) === 'HPE_HEADER_OVERFLOW';
  const [status, message] = isTooLarge ? ['431', 'Request Header Fields Too Large'] : ['400', 'Bad Request'];
  const body = JSON.stringify({ message });
  const head = [`HTTP/1.1 ${status} ${message}`, 'content-type: application/json', `content-length: ${body.length}`];
  socket.end(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`);
}

function split(url: string): [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false; // invalid percent-encoding
  }
}
