import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Cors } from '../template/stack.ts';
import type { HttpResponse } from './function-response.ts';

/**
 * The gateway's response to an OPTIONS request if the API has CORS. It comes before any route and authorizer. For a
 * page of another origin it has no CORS headers. Undefined for any other request.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export function preflightAnswer(cors: Cors | undefined, request: IncomingMessage): HttpResponse | undefined {
  if (!cors || request.method !== 'OPTIONS') return undefined;
  const headers = allowsOrigin(cors, request) && {
    'access-control-allow-methods': cors.AllowMethods.join(','),
    'access-control-allow-headers': cors.AllowHeaders.join(','),
    'access-control-max-age': String(cors.MaxAge),
  };
  return { status: 204, headers: { ...headers }, body: Buffer.alloc(0) };
}

/** The headers that let a page of an allowed origin read a response. The gateway adds them to errors, too. */
export function corsHeaders(cors: Cors | undefined, request: IncomingMessage): OutgoingHttpHeaders {
  if (!cors || !allowsOrigin(cors, request)) return {};
  return {
    'access-control-allow-origin': request.headers.origin,
    'access-control-expose-headers': cors.ExposeHeaders.join(','),
  };
}

function allowsOrigin({ AllowOrigins }: Cors, { headers: { origin } }: IncomingMessage): boolean {
  return origin !== undefined && AllowOrigins.includes(origin);
}
