import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Cors } from '../template/stack.ts';
import type { HttpResponse } from './function-response.ts';

/**
 * What the gateway answers an OPTIONS request with when the API has CORS, before any route and any authorizer: to a page
 * of another origin without a word of what would be allowed. Undefined for any other request.
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

/** What the gateway adds to every answer to a page of an allowed origin, errors included, so that the page may read it. */
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
