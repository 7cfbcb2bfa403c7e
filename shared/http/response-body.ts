import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import preferredEncodings from 'negotiator/lib/encoding.js';
import { InvalidRequest } from '../errors.ts';

/** Compression of a smaller body costs more than it saves. */
const minCompressedBytes = 1024;
/** Lambda returns at most 6 MB, including the headers. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxResponseBytes = 6_000_000;

/**
 * Compresses a large response if the client accepts gzip. Throws `InvalidRequest` if the response is still larger than Lambda
 * can return. The error names the parameters that make the response smaller.
 */
export function deliverable(
  response: APIGatewayProxyStructuredResultV2,
  acceptEncoding: string | undefined,
  narrowedBy: readonly string[] = [],
): APIGatewayProxyStructuredResultV2 {
  const takesGzip = preferredEncodings(acceptEncoding ?? 'identity', ['gzip', 'identity'])[0] === 'gzip';
  const delivered = takesGzip ? compressed(response) : response;
  const sizeBytes = Buffer.byteLength(JSON.stringify(delivered.body ?? ''));
  if (sizeBytes > maxResponseBytes) throw tooLarge(sizeBytes, takesGzip, narrowedBy);
  return delivered;
}

function compressed(response: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  const body = Buffer.from(response.body ?? '');
  if (body.length < minCompressedBytes) return response;
  return {
    ...response,
    headers: { ...response.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
    body: gzipSync(body, { level: 1 }).toString('base64'),
    isBase64Encoded: true,
  };
}

function tooLarge(sizeBytes: number, isCompressed: boolean, narrowedBy: readonly string[]): InvalidRequest {
  const size = `${Math.ceil(sizeBytes / 1e6)} MB`;
  const hint = isCompressed ? '' : ', or accept gzip';
  const message = `must narrow the answer: it would be ${size}, and at most ${maxResponseBytes / 1e6} MB can be returned${hint}`;
  return new InvalidRequest(narrowedBy.map((path) => ({ path, message })));
}
