import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import type { APIGatewayProxyEventV2, APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda';
import { accountId } from '../../shared/client-settings.ts';
import type { RouteMatch } from './router.ts';

/** A request with its matched route and its claims. */
export type RequestFacts = {
  readonly request: IncomingMessage;
  /** Also the `apigw-requestid` header of the response. */
  readonly requestId: string;
  readonly match: RouteMatch;
  /** The encoded path and query of the request. */
  readonly path: string;
  readonly query: string;
  readonly body: Buffer;
  readonly claims: JwtPayload | undefined;
};

/**
 * Converts a request to an event of payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function requestEvent(facts: RequestFacts) {
  const { request, match, path, query, body, claims } = facts;
  const { cookie = [], ...headers } = request.headersDistinct;
  const cookies = cookie.flatMap((line) => line.split(';')).map((text) => text.trim());
  const queryStringParameters = queryParameters(query);
  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey: match.route.routeKey,
    rawPath: rawPathOf(path),
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers: forwardedHeaders(headers, request),
    ...(queryStringParameters && { queryStringParameters }),
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
    requestContext: requestContext(facts),
    ...bodyOf(body, request.headers['content-type']),
  };
  return claims ? withClaims(event, claims) : event;
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
}: RequestFacts): APIGatewayProxyEventV2['requestContext'] {
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

function withClaims(event: APIGatewayProxyEventV2, claims: JwtPayload): APIGatewayProxyEventV2WithJWTAuthorizer {
  const present = Object.entries(claims).filter(([, value]) => value !== null && value !== undefined);
  const authorizer = {
    principalId: '',
    integrationLatency: 0,
    jwt: {
      claims: Object.fromEntries(present.map(([name, value]) => [name, claimText(value)])),
      scopes: null as unknown as string[], // the gateway sends null for a route without scopes; the type declares an array
    },
  };
  return { ...event, requestContext: { ...event.requestContext, authorizer } };
}

/** The text of a claim as the gateway, a Go program, prints it: lists as `[a b]`, objects as `map[k:v]`. */
function claimText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(claimText).join(' ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `map[${Object.entries(value)
      .map(([key, item]) => `${key}:${claimText(item)}`)
      .join(' ')}]`;
  }
  return String(value);
}
