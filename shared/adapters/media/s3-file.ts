import { GetObjectCommand, NoSuchKey, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { FileLocation } from '../../contracts/events.ts';
import { MediaError } from '../../domain/media-refusal.ts';
import type { MediaFile } from './media-source.ts';

/** Statuses that mean that the object is not the pinned one any more: removed, forbidden, or replaced. */
const replacedStatuses: readonly unknown[] = [403, 404, 412];

/** The size and the version of an object, as a listing or HEAD reports them. */
export type PinnedObject = FileLocation & {
  readonly bytes: number;
  readonly etag: string;
  readonly versionId?: string | undefined;
};

/** Finds the size and the version of an object by reading its first byte. Returns 'missing' or 'empty' if there is nothing to read. */
export async function pinObject(
  s3: Pick<S3Client, 'send'>,
  { bucket, key }: FileLocation,
  signal: AbortSignal,
): Promise<PinnedObject | 'missing' | 'empty'> {
  try {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key, Range: 'bytes=0-0' });
    const { Body, ContentRange = '', ETag = '', VersionId } = await s3.send(command, { abortSignal: signal });
    await Body?.transformToByteArray();
    const bytes = Number(ContentRange.split('/')[1]);
    if (!Number.isSafeInteger(bytes)) throw new Error('S3 answered a range without the size of the object.');
    return { bucket, key, bytes, etag: ETag, versionId: VersionId };
  } catch (error) {
    if (error instanceof NoSuchKey) return 'missing';
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416) return 'empty';
    throw error;
  }
}

/** Reads ranges of one version of an object. A replaced object is an error, so that two files never mix. */
export function s3File(s3: Pick<S3Client, 'send'>, { bucket, key, bytes, etag, versionId }: PinnedObject): MediaFile {
  return {
    bytes,
    async readRange(start, end, signal) {
      const version = versionId === undefined ? {} : { VersionId: versionId };
      const range = { Range: `bytes=${start}-${end - 1}`, IfMatch: etag };
      try {
        const command = new GetObjectCommand({ Bucket: bucket, Key: key, ...range, ...version });
        const { Body } = await s3.send(command, { abortSignal: signal });
        return (await Body?.transformToByteArray()) ?? new Uint8Array();
      } catch (error) {
        if (!(error instanceof S3ServiceException)) throw error;
        if (!replacedStatuses.includes(error.$metadata.httpStatusCode)) throw error;
        throw new MediaError('replaced', 'The file was replaced or removed while it was read.', { cause: error });
      }
    },
  };
}
