import { GetObjectCommand, HeadObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { FileLocation } from '#shared/contracts/events.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { FileVersion } from '#shared/domain/media/planned-file.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';
import { meaningOf } from './head-failures.ts';
import type { MediaFile } from './media-source.ts';

/** Statuses that mean that the object is not the pinned one any more: removed, forbidden, or replaced. */
const replacedStatuses: readonly unknown[] = [403, 404, 412];

/** Finds the size and the version of an object, or why it cannot be read. Throws if a repetition may succeed. */
export async function pinObject(
  s3: Pick<S3Client, 'send'>,
  { bucket, key }: FileLocation,
  signal: AbortSignal,
): Promise<FileVersion | 'missing' | 'unreadable'> {
  try {
    const command = new HeadObjectCommand({ Bucket: bucket, Key: key });
    const { ContentLength: bytes, ETag: etag } = await s3.send(command, { abortSignal: signal });
    return bytes === undefined || etag === undefined ? 'missing' : { bucket, key, bytes, etag };
  } catch (error) {
    return meaningOf(error);
  }
}

/** The SDK repeats a request, but not a body that breaks off. A large file has thousands of bodies. */
const bodyAttempts = 3;
const bodyPauseMs = 200;

/**
 * Reads ranges of one version of an object. A replaced object is an error, so that two files never mix. The version is pinned by its
 * content: to read one by its id needs a permission that buckets of a platform may not give.
 */
export function s3File(s3: Pick<S3Client, 'send'>, { bucket, key, bytes, etag }: FileVersion): MediaFile {
  const object = { Bucket: bucket, Key: key, IfMatch: etag };
  return {
    bytes,
    async readRange(start, end, signal) {
      let broken: unknown;
      const read = async () => {
        const command = new GetObjectCommand({ ...object, Range: `bytes=${start}-${end - 1}` });
        const { Body } = await s3.send(command, { abortSignal: signal }).catch(rethrowReplaced);
        try {
          return (await Body?.transformToByteArray()) ?? new Uint8Array();
        } catch (error) {
          signal.throwIfAborted();
          broken = error;
          return tryAgain;
        }
      };
      return retry(read, {
        maxAttempts: bodyAttempts,
        maxPauseMs: (failedAttempts) => bodyPauseMs * failedAttempts,
        exhausted: 'A range of a file broke off again and again.',
        cause: () => broken,
      });
    },
  };
}

function rethrowReplaced(error: unknown): never {
  const isReplaced = error instanceof S3ServiceException && replacedStatuses.includes(error.$metadata.httpStatusCode);
  if (!isReplaced) throw error;
  throw new MediaError('replaced', 'The file was replaced or removed while it was read.', { cause: error });
}
