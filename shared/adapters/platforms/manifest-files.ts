import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ManifestReader } from '#shared/use-cases/platforms/ports.ts';

/** A manifest lists the files of one recording. A larger file is none. */
const maxBytes = 1024 * 1024;
/** Missing, forbidden, or in a region that this client does not reach. None of them changes by another attempt. */
const unreadable = [301, 400, 403, 404];

/** Implements `ManifestReader` with S3. It reads whatever the function may read: callers say which buckets that is. */
export function manifestFiles(s3: Pick<S3Client, 'send'>): ManifestReader {
  return {
    async read({ bucket, key }) {
      try {
        const { Body, ContentLength } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        if (ContentLength === undefined || ContentLength > maxBytes) {
          (Body as { destroy?: () => void } | undefined)?.destroy?.();
          return undefined;
        }
        return readJson((await Body?.transformToString('utf-8')) ?? '');
      } catch (error) {
        if (unreadable.includes(statusOf(error))) return undefined;
        throw error;
      }
    },
  };
}

function statusOf(error: unknown): number {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
