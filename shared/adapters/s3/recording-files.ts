import { HeadObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { FileLocation } from '../../contracts/events.ts';
import type { RecordingSize } from '../../domain/recording.ts';

/** What statuses of HEAD mean. A response to HEAD has no body, so there is nothing else to decide by. */
const meanings: Readonly<Record<number, 'missing' | 'unreadable'>> = {
  // The object has a customer's own key (SSE-C). Expired credentials have this status too, but the table was read with them before.
  400: 'unreadable',
  // The bucket is in another region.
  301: 'missing',
  307: 'missing',
  403: 'missing',
  404: 'missing',
};

/** Why HEAD has failed. Rethrows an error if a repetition may succeed. */
export function meaningOf(error: unknown): 'missing' | 'unreadable' {
  const meaning = error instanceof S3ServiceException && meanings[error.$metadata.httpStatusCode ?? 0];
  if (meaning) return meaning;
  throw error;
}

/** The recordings of the platform, at the locations in their events. */
export function recordingFiles(s3: Pick<S3Client, 'send'>) {
  return {
    /** Returns the size in bytes, or why it is not known. Throws if a repetition may succeed. */
    async size({ bucket, key }: FileLocation): Promise<RecordingSize> {
      try {
        const { ContentLength } = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
        return ContentLength ?? 'missing';
      } catch (error) {
        return meaningOf(error);
      }
    },
  };
}
