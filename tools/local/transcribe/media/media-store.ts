import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { JobFailure } from '../failure.ts';

/** Downloads recordings and uploads transcripts. */
export type MediaStore = {
  download(uri: string, target: string, signal: AbortSignal): Promise<void>;
  /** Returns the URI that GetTranscriptionJob reports. */
  upload(bucket: string, key: string, document: string, signal: AbortSignal): Promise<string>;
  close(): void;
};

/** The largest media file of Amazon Transcribe: 2 GB. */
const LARGEST_BYTES = 2 * 1024 ** 3;
const MISSING = ['NoSuchKey', 'NoSuchBucket', 'NotFound'];

/** Creates a store for an S3 endpoint with path-style addresses. Throws a JobFailure for media that it cannot download. */
export function createMediaStore({ s3Url, region }: { s3Url: string; region: string }): MediaStore {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const s3 = new S3Client({ endpoint: s3Url, region, forcePathStyle: true, credentials });
  return {
    async download(uri, target, signal) {
      const { Body: body, ContentLength: bytes = 0 } = await fetchObject(s3, uri, signal);
      if (!(body instanceof Readable)) throw new JobFailure('internal');
      if (bytes > LARGEST_BYTES) {
        body.destroy();
        throw new JobFailure('tooLarge');
      }
      await pipeline(body, createWriteStream(target), { signal });
    },
    async upload(bucket, key, document, signal) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: document,
        ContentType: 'application/json',
      });
      await s3.send(command, { abortSignal: signal }).catch((error: unknown) => {
        throw new JobFailure('unwritableOutput', { cause: error });
      });
      return `${withSlash(s3Url)}${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
    },
    close: () => s3.destroy(),
  };
}

async function fetchObject(s3: S3Client, uri: string, signal: AbortSignal) {
  const location = parseMediaUri(uri);
  if (location === undefined) throw new JobFailure('missingMedia');
  const command = new GetObjectCommand({ Bucket: location.bucket, Key: location.key });
  return await s3.send(command, { abortSignal: signal }).catch((error: unknown) => {
    if (!(error instanceof S3ServiceException)) throw error;
    throw new JobFailure(MISSING.includes(error.name) ? 'missingMedia' : 'unreadableMedia', { cause: error });
  });
}

/** The bucket and key of `s3://bucket/key` or of a path-style URL. Undefined if the URI names no object. */
export function parseMediaUri(uri: string): { bucket: string; key: string } | undefined {
  const isS3 = uri.startsWith('s3://');
  // `URL` would remove dot segments, and so name another key.
  const path = isS3 ? uri.slice('s3://'.length) : /^https?:\/\/[^/?#]+\/([^?#]*)/i.exec(uri)?.[1];
  const [bucket = '', ...rest] = path?.split('/') ?? [];
  const key = isS3 ? rest.join('/') : decodeKey(rest.join('/'));
  return bucket === '' || key === '' || key === undefined ? undefined : { bucket, key };
}

function decodeKey(key: string): string | undefined {
  try {
    return decodeURIComponent(key);
  } catch {
    return undefined;
  }
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
