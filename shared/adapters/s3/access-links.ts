import { formatUrl } from '@aws-sdk/core/util';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import type { LinkCredentials } from '../sts/link-credentials.ts';

/** One link: its object, its lifetime, and the name and type of the download. */
export type AccessLinkRequest = {
  readonly key: string;
  readonly validForSeconds: number;
  /** S3 sends it as a response header, like `contentDisposition`. */
  readonly contentType: string;
  readonly contentDisposition: string;
};

/** Signs download links. */
export type AccessLinks = ReturnType<typeof accessLinks>;

/** The bucket of the objects and the credentials that sign. */
export type AccessLinksOptions = {
  readonly bucket: string;
  readonly region: string;
  /** The URL of an S3 outside AWS. Its addresses are path-style. */
  readonly endpoint: string | undefined;
  readonly credentialsFor: (validForSeconds: number) => Promise<LinkCredentials>;
  readonly now?: () => Date;
};

/**
 * Signs download links with the S3 presigner, without the S3 client, which would triple the load time of the function. A
 * link never outlives the credentials that sign it, so `expires` is the time from which S3 rejects it.
 */
export function accessLinks({ bucket, region, endpoint, credentialsFor, now = () => new Date() }: AccessLinksOptions) {
  return {
    async create(request: AccessLinkRequest): Promise<{ readonly accessLink: string; readonly expires: number }> {
      const credentials = await credentialsFor(request.validForSeconds);
      const signedAt = Math.floor(now().getTime() / 1000); // the date of a signature has whole seconds
      const credentialSeconds = Math.floor(credentials.expiration.getTime() / 1000) - signedAt;
      const expiresIn = Math.min(request.validForSeconds, credentialSeconds);
      const presigner = new S3RequestPresigner({ region, credentials, sha256: Hash.bind(null, 'sha256') });
      const url = bucketUrl(bucket, region, endpoint);
      const presigned = await presigner.presign(
        new HttpRequest({
          method: 'GET',
          protocol: url.protocol,
          hostname: url.hostname,
          ...(url.port && { port: Number(url.port) }),
          path: `${url.pathname.replace(/\/$/, '')}/${encodeKey(request.key)}`,
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
