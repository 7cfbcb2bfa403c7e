import { Readable } from 'node:stream';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import preferredEncodings from 'negotiator/lib/encoding.js';
import { InvalidRequest } from '../runtime/errors.ts';
import { zlib } from '../runtime/zlib.ts';

/** Compression of a smaller body costs more than it saves. */
const minCompressedBytes = 1024;
/** Lambda returns at most 6 MB, including the headers. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxResponseBytes = 6_000_000;
/** A control character is `\u0000` in JSON, and no other one takes more. */
const maxBytesOfCharacter = 6;

type Response = APIGatewayProxyStructuredResultV2;

/**
 * Compresses a large response if the client accepts gzip. Throws `InvalidRequest` if the response is still larger than Lambda
 * can return. The error names the parameters that make the response smaller.
 */
export function deliverable(
  response: Response,
  acceptEncoding: string | undefined,
  narrowedBy: readonly string[] = [],
): Response {
  const isGzip = takesGzip(acceptEncoding);
  const delivered = isGzip ? compressed(response) : response;
  const { body = '' } = delivered;
  if (body.length * maxBytesOfCharacter <= maxResponseBytes) return delivered;
  const sizeBytes = sizeInAnswer(body);
  if (sizeBytes > maxResponseBytes) throw tooLarge(`${Math.ceil(sizeBytes / 1e6)} MB`, isGzip, narrowedBy);
  return delivered;
}

/**
 * The `deliverable` response with this body. A long body is written in pieces, and only until it is too large: memory holds at
 * most 6 MB of its text.
 */
export async function deliverableBody(
  response: Response,
  { pieces, isLong }: { readonly pieces: Iterable<string>; readonly isLong: boolean },
  acceptEncoding: string | undefined,
  narrowedBy: readonly string[] = [],
): Promise<Response> {
  if (!isLong) return deliverable({ ...response, body: [...pieces].join('') }, acceptEncoding, narrowedBy);
  const isGzip = takesGzip(acceptEncoding);
  const parts: (string | Buffer)[] = [];
  let sizeBytes = 0;
  for await (const part of isGzip ? Readable.from(pieces).pipe(zlib().createGzip({ level: 1 })) : pieces) {
    sizeBytes += typeof part === 'string' ? sizeInAnswer(part) : (part.length * 4) / 3; // base64
    if (sizeBytes > maxResponseBytes) throw tooLarge(`over ${maxResponseBytes / 1e6} MB`, isGzip, narrowedBy);
    parts.push(part);
  }
  return isGzip ? gzipResponse(response, Buffer.concat(parts as Buffer[])) : { ...response, body: parts.join('') };
}

function takesGzip(acceptEncoding: string | undefined): boolean {
  return preferredEncodings(acceptEncoding ?? 'identity', ['gzip', 'identity'])[0] === 'gzip';
}

/** Bytes of a part of the body in the answer of the function, which is JSON. */
function sizeInAnswer(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function compressed(response: Response): Response {
  const body = Buffer.from(response.body ?? '');
  return body.length < minCompressedBytes ? response : gzipResponse(response, zlib().gzipSync(body, { level: 1 }));
}

function gzipResponse(response: Response, compressedBody: Buffer): Response {
  return {
    ...response,
    headers: { vary: 'accept-encoding', ...response.headers, 'content-encoding': 'gzip' },
    body: compressedBody.toString('base64'),
    isBase64Encoded: true,
  };
}

function tooLarge(size: string, isCompressed: boolean, narrowedBy: readonly string[]): InvalidRequest {
  const hint = isCompressed ? '' : ', or accept gzip';
  const message = `must narrow the answer: it would be ${size}, and at most ${maxResponseBytes / 1e6} MB can be returned${hint}`;
  return new InvalidRequest(narrowedBy.map((path) => ({ path, message })));
}
