import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { accountId, region } from '#tools/shared/client-settings.ts';
import type { RouteMatch } from './router.ts';

/** A request with its matched route, before its body is read. */
export type RequestHead = {
  readonly request: IncomingMessage;
  /** Also the `apigw-requestid` header of the response. */
  readonly requestId: string;
  readonly match: RouteMatch;
  /** The encoded path and query of the request. */
  readonly path: string;
  readonly query: string;
};

/** A request with its body and what its authorizer passed on. */
export type RequestFacts = RequestHead & {
  readonly body: Buffer;
  /** Undefined for a route without an authorizer. */
  readonly authorizerContext: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Converts a request to an event of payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function requestEvent({ body, authorizerContext, ...head }: RequestFacts): APIGatewayProxyEventV2 {
  const event = headEvent(head);
  const { requestContext } = event;
  return {
    ...event,
    requestContext: authorizerContext
      ? Object.assign(requestContext, { authorizer: { lambda: authorizerContext } })
      : requestContext,
    ...bodyOf(body, head.request.headers['content-type']),
  };
}

/**
 * Converts a request to the event of a Lambda authorizer with payload format 2.0, which has no body.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
export function authorizerEvent(head: RequestHead, identity: string): Readonly<Record<string, unknown>> {
  const { method = '' } = head.request;
  const routeArn = `arn:aws:execute-api:${region}:${accountId}:local/$default/${method}${rawPathOf(head.path)}`;
  return { ...headEvent(head), type: 'REQUEST', routeArn, identitySource: [identity] };
}

function headEvent(head: RequestHead) {
  const { request, match, path, query } = head;
  const { cookie = [], ...headers } = request.headersDistinct;
  const cookies = cookie.flatMap((line) => line.split(';')).map((text) => text.trim());
  const queryStringParameters = queryParameters(query);
  return {
    version: '2.0',
    routeKey: match.route.routeKey,
    rawPath: rawPathOf(path),
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers: forwardedHeaders(headers, request),
    ...(queryStringParameters && { queryStringParameters }),
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
    requestContext: requestContext(head),
  };
}

/** The gateway decodes the path, then cuts it at the first question mark. */
function rawPathOf(path: string): string {
  return decodeURIComponent(path).split('?')[0] ?? '';
}

const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** The headers in lower case, repeated ones joined by commas, with those that the gateway adds. */
function forwardedHeaders(headers: NodeJS.Dict<string[]>, { socket }: IncomingMessage): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => !hopByHop.includes(name));
  return {
    ...Object.fromEntries(own.map(([name, values = []]) => [name, values.join(',')])),
    'x-amzn-trace-id': `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    'x-forwarded-for': socket.remoteAddress ?? '',
    'x-forwarded-port': String(socket.localPort),
    'x-forwarded-proto': 'http',
  };
}

function queryParameters(query: string): Record<string, string> | undefined {
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = joined.get(name);
    joined.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return joined.size > 0 ? Object.fromEntries(joined) : undefined;
}

function requestContext({
  request,
  requestId,
  match: { route },
  path,
}: RequestHead): APIGatewayProxyEventV2['requestContext'] {
  const now = new Date();
  const domainName = request.headers.host ?? '';
  return {
    accountId,
    apiId: 'local',
    domainName,
    domainPrefix: domainName.split('.')[0] ?? '',
    http: {
      method: request.method ?? '',
      path: rawPathOf(path),
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: request.socket.remoteAddress ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    },
    requestId,
    routeKey: route.routeKey,
    stage: '$default',
    time: commonLogTime(now),
    timeEpoch: now.getTime(),
  };
}

/** The time in the form of `21/Nov/2025:01:35:00 +0000`. */
function commonLogTime(time: Date): string {
  const [, day, month, year, clock] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}

/** Text unchanged, other content as base64. The content type tells which. */
function bodyOf(
  body: Buffer,
  contentType: string | undefined,
): Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'> {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = contentType === undefined || textTypes.test(contentType);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

const textTypes = /^\s*(text\/|application\/(json|javascript|xml|[\w.+-]+\+(json|xml))\s*(;|$))/i;
