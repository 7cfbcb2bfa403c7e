import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const securityHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** A response of the API: JSON, or no body if `body` is undefined. */
export function jsonResponse(
  statusCode: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyStructuredResultV2 {
  if (body === undefined) return { statusCode, headers: { ...securityHeaders, ...headers } };
  return {
    statusCode,
    headers: { ...securityHeaders, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
