import { Duration } from 'aws-cdk-lib';
import { CorsHttpMethod, type CorsPreflightOptions } from 'aws-cdk-lib/aws-apigatewayv2';
import { type CorsRule, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { nextCursorHeader } from '#shared/contracts/common/row-formats.ts';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { IdempotencyHeaders } from '#shared/contracts/organization/idempotency.ts';
import { rateLimitHeaders } from '#shared/contracts/organization/rate-limit.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import type { StageConfig } from './stages.ts';

/** What pages of these origins may send, and what they may read of the answers: all that the contract has, and no more. */
export function corsFor(origins: readonly string[]): CorsPreflightOptions {
  const open = selfAuthenticatedEndpointList.flatMap(({ method, answersHead }) =>
    answersHead ? [method, 'HEAD' as const] : [method],
  );
  const methods = new Set([...[...endpointList, ...publicEndpointList].map(({ method }) => method), ...open]);
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

/**
 * The origins of the console, if the stage has one. CloudFront assigns a domain name that the bucket cannot name: the policy of the
 * console's pages names the bucket, so each would wait for the other. The pattern opens nothing that `null` below does not open.
 */
export function consoleOrigins({
  console: hasConsole,
  consoleDomain,
}: Pick<StageConfig, 'console' | 'consoleDomain'>): string[] {
  if (!hasConsole) return [];
  return [consoleDomain ? `https://${consoleDomain.domainName}` : 'https://*.cloudfront.net'];
}

/**
 * The rules by which pages of these origins may fetch the files behind links. A browser follows a redirect of the API with the
 * origin `null`. That origin opens nothing by itself, because each link is signed.
 */
export function fileCorsFor(origins: readonly string[]): CorsRule[] {
  if (origins.length === 0) return [];
  return [
    {
      allowedOrigins: [...origins, 'null'],
      allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
      allowedHeaders: ['range', 'if-range', 'if-none-match'],
      exposedHeaders: ['content-disposition', 'content-range', 'accept-ranges', 'etag'],
      maxAge: 3600,
    },
  ];
}
