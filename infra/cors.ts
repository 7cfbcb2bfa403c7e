import { Duration } from 'aws-cdk-lib';
import { CorsHttpMethod, type CorsPreflightOptions } from 'aws-cdk-lib/aws-apigatewayv2';
import { endpointList } from '../shared/contracts/endpoints.ts';
import { IdempotencyHeaders } from '../shared/contracts/idempotency.ts';
import { publicEndpointList } from '../shared/contracts/public-endpoints.ts';
import { rateLimitHeaders } from '../shared/contracts/rate-limit.ts';
import { nextCursorHeader } from '../shared/contracts/row-formats.ts';

/** What pages of these origins may send, and what they may read of the answers: all that the contract has, and no more. */
export function corsFor(origins: readonly string[]): CorsPreflightOptions {
  const methods = new Set([...endpointList, ...publicEndpointList].map(({ method }) => method));
  return {
    allowOrigins: [...origins],
    allowMethods: [...methods].map((method) => CorsHttpMethod[method]),
    allowHeaders: ['authorization', 'content-type', 'if-none-match', ...Object.keys(IdempotencyHeaders.shape)],
    exposeHeaders: [
      ...Object.values(rateLimitHeaders),
      'retry-after',
      nextCursorHeader,
      'location',
      'etag',
      'www-authenticate',
      'apigw-requestid',
    ],
    maxAge: Duration.hours(1),
  };
}
