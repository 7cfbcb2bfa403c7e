import { formatUrl } from '@aws-sdk/core/util';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { create as contentDisposition } from 'content-disposition';
import type { LinkSigner, SigningRequest } from '#shared/use-cases/links/ports.ts';
import type { LinkCredentials } from './link-credentials.ts';

/** The bucket of the objects and the credentials that sign. */
export type AccessLinksOptions = {
  readonly bucket: string;
  readonly region: string;
  /** The URL of an S3 outside AWS. Its addresses are path-style. */
  readonly endpoint: string | undefined;
  /** Credentials that outlast a link, or undefined if none do. */
  readonly credentialsFor: (validForSeconds: number) => Promise<LinkCredentials | undefined>;
  readonly now?: () => Date;
};

/**
 * Signs download links with the S3 presigner, without the S3 client, which would triple the load time of the function. The
 * credentials outlast the link, so `expires` is the time from which S3 rejects it.
 */
export function accessLinks({
  bucket,
  region,
  endpoint,
  credentialsFor,
  now = () => new Date(),
}: AccessLinksOptions): LinkSigner {
  return {
    async sign(request) {
      const { validForSeconds: expiresIn } = request;
      const credentials = await credentialsFor(expiresIn);
      if (!credentials) return undefined;
      const signedAt = Math.floor(now().getTime() / 1000); // the date of a signature has whole seconds
      const presigner = new S3RequestPresigner({ region, credentials, sha256: Hash.bind(null, 'sha256') });
      const url = bucketUrl(bucket, region, endpoint);
      const presigned = await presigner.presign(
        new HttpRequest({
          method: request.method,
          protocol: url.protocol,
          hostname: url.hostname,
          ...(url.port && { port: Number(url.port) }),
          path: `${url.pathname.replace(/\/$/, '')}/${encodeKey(request.key)}`,
          headers: { host: url.host },
          query: responseHeaders(request),
        }),
        { expiresIn, signingDate: new Date(signedAt * 1000) },
      );
      return { accessLink: formatUrl(presigned), expires: (signedAt + expiresIn) * 1000 };
    },
  };
}

/** What S3 answers instead of what is stored with the file. */
function responseHeaders({
  filename,
  contentType,
  disposition: type = 'attachment',
}: SigningRequest): Record<string, string> {
  return {
    ...(contentType !== undefined && { 'response-content-type': contentType }),
    ...(filename !== undefined && { 'response-content-disposition': contentDisposition(filename, { type }) }),
  };
}

function bucketUrl(bucket: string, region: string, endpoint: string | undefined): URL {
  if (endpoint) return new URL(`${endpoint}/${bucket}`);
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(`https://${bucket}.s3.${region}.${suffix}`);
}

/** The path of exactly this key. It must not become part of a `URL`, which would remove dot segments. */
function encodeKey(key: string): string {
  return key.split('/').map(encodeSegment).join('/');
}

/** RFC 3986: SigV4 signs the path with everything but unreserved characters escaped. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
