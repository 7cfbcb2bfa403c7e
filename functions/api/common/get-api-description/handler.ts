import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { publicEndpoints } from '#shared/contracts/public-endpoints.ts';
import { emptyResponse } from '#shared/http/json-response.ts';
import { deliverable } from '#shared/http/response-body.ts';
import { log } from '#shared/runtime/logger.ts';

const { operationId, successStatus } = publicEndpoints.getApiDescription;
const maxAgeSeconds = 300;

type Deps = { readonly description: object };

/** GET /v1/openapi.json: the description of the API, without authentication. Returns 304 to a client that has the current version. */
export function createHandler({ description }: Deps) {
  const text = JSON.stringify(description);
  const hash = createHash('sha256').update(text).digest('base64url');
  // A weak ETag, because it is the same for the compressed document.
  const headers = {
    etag: `W/"${hash}"`,
    'cache-control': `public, max-age=${maxAgeSeconds}`,
    vary: 'accept-encoding',
  };
  const document = { ...emptyResponse(successStatus, { 'content-type': 'application/json', ...headers }), body: text };
  const notModified = emptyResponse(304, headers);

  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const known = event.headers['if-none-match'] ?? '';
    const isCurrent = known === '*' || known.includes(`"${hash}"`);
    const response = isCurrent ? notModified : deliverable(document, event.headers['accept-encoding']);
    log.info('request', {
      operationId,
      correlationId: event.requestContext.requestId,
      statusCode: response.statusCode,
    });
    return response;
  };
}
