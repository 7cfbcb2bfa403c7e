import { HeadObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { FileLocation } from '../../contracts/events.ts';

/** The recordings of the platform, at the locations in their events. */
export function recordingFiles(s3: Pick<S3Client, 'send'>) {
  return {
    /** Returns the size in bytes, or undefined if the object is missing or this service must not read it. */
    async size({ bucket, key }: FileLocation): Promise<number | undefined> {
      try {
        const { ContentLength } = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
        return ContentLength;
      } catch (error) {
        if (error instanceof S3ServiceException && isOutOfReach(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Decides by the status, because a response to HEAD has no body. A redirect means a bucket in another region. */
function isOutOfReach({ $metadata: { httpStatusCode = 0 } }: S3ServiceException): boolean {
  return [301, 307, 403, 404].includes(httpStatusCode);
}
