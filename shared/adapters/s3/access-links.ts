import { formatUrl } from '@aws-sdk/core/util';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import type { LinkCredentials } from '../sts/link-credentials.ts';

/** One link: to what, for how long, and how the download is to be named and typed. */
export type AccessLinkRequest = {
  readonly key: string;
  readonly validForSeconds: number;
  /** Headers that S3 answers the download with. */
  readonly contentType: string;
  readonly contentDisposition: string;
};

/** What signs links. */
export type AccessLinks = ReturnType<typeof accessLinks>;

/** Where the objects are, and whose credentials sign. */
export type AccessLinksOptions = {
  readonly bucket: string;
  readonly region: string;
  /** An S3 elsewhere than at AWS; reached path-style. */
  readonly endpoint: string | undefined;
  readonly credentialsFor: (validForSeconds: number) => Promise<LinkCredentials>;
  readonly now?: () => Date;
};

/**
 * Signs download links by S3's presigner without its client, which would triple the function's load time. A link's life
 * is cut to that of the credentials that sign it, so `expires` is the moment at which S3 begins to refuse it.
 */
export function accessLinks({ bucket, region, endpoint, credentialsFor, now = () => new Date() }: AccessLinksOptions) {
  return {
    async create(request: AccessLinkRequest): Promise<{ readonly accessLink: string; readonly expires: number }> {
      const credentials = await credentialsFor(request.validForSeconds);
      const signedAt = Math.floor(now().getTime() / 1000); // a signature's date has whole seconds
      const credentialSeconds = Math.floor(credentials.expiration.getTime() / 1000) - signedAt;
      const expiresIn = Math.min(request.validForSeconds, credentialSeconds);
      const presigner = new S3RequestPresigner({ region, credentials, sha256: Hash.bind(null, 'sha256') });
      const url = objectUrl(bucket, region, endpoint, request.key);
      const presigned = await presigner.presign(
        new HttpRequest({
          method: 'GET',
          protocol: url.protocol,
          hostname: url.hostname,
          ...(url.port && { port: Number(url.port) }),
          path: url.pathname,
          headers: { host: url.host },
          query: {
            'response-content-type': request.contentType,
            'response-content-disposition': request.contentDisposition,
          },
        }),
        { expiresIn, signingDate: new Date(signedAt * 1000) },
      );
      return { accessLink: formatUrl(presigned), expires: (signedAt + expiresIn) * 1000 };
    },
  };
}

function objectUrl(bucket: string, region: string, endpoint: string | undefined, key: string): URL {
  const path = key.split('/').map(encodeSegment).join('/');
  if (endpoint) return new URL(`${endpoint}/${bucket}/${path}`);
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(`https://${bucket}.s3.${region}.${suffix}/${path}`);
}

/** RFC 3986: SigV4 signs the path with everything but unreserved characters escaped. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
