import { HeadObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { FileLocation } from '../../contracts/events.ts';

/** The platform's recordings, wherever their events say they are. */
export function recordingFiles(s3: Pick<S3Client, 'send'>) {
  return {
    /** The size in bytes, or undefined where there is no such object, or none that this service may read. */
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

/** An answer to HEAD has no body, so its status is all there is to go by. A redirect is a bucket of another region. */
function isOutOfReach({ $metadata: { httpStatusCode = 0 } }: S3ServiceException): boolean {
  return [301, 307, 403, 404].includes(httpStatusCode);
}
