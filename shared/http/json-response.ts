import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

type Headers = Readonly<Record<string, string>>;

/** A response of the API without a body. */
export function emptyResponse(statusCode: number, headers: Headers = {}): APIGatewayProxyStructuredResultV2 {
  return { statusCode, headers: { ...securityHeaders, ...headers } };
}

/** A response of the API: JSON, or no body if `body` is undefined. */
export function jsonResponse(
  statusCode: number,
  body: unknown,
  headers: Headers = {},
): APIGatewayProxyStructuredResultV2 {
  if (body === undefined) return emptyResponse(statusCode, headers);
  const response = emptyResponse(statusCode, { 'content-type': 'application/json', ...headers });
  return { ...response, body: JSON.stringify(body) };
}
