import type { S3Client } from '@aws-sdk/client-s3';
import { mixedFileLimits } from '#shared/domain/media/media-plan.ts';
import type { MediaPreparer } from '#shared/use-cases/media/ports.ts';
import { prepareMedia } from './prepare-media.ts';
import { s3File } from './s3-file.ts';
import { s3Upload } from './s3-upload.ts';

/** Shorter than the timeout of the function. A turn ends long before, unless a call hangs. */
const mostMs = 14 * 60_000;

/** Prepares files of S3, and uploads the pieces as they are written. */
export function mediaPreparer(s3: Pick<S3Client, 'send'>): MediaPreparer {
  return {
    async prepare({ files, target, goesOn, ...request }) {
      const signal = AbortSignal.timeout(mostMs);
      const start = files[0]?.offset ?? 0;
      const { bytesRead } = await prepareMedia({
        ...request,
        files: files.map((file) => ({ file: s3File(s3, file), offset: file.offset - start })),
        jobSeconds: mixedFileLimits.jobSeconds,
        target: (index) => s3Upload(s3, target(index), signal),
        hasTimeLeft: goesOn,
        signal,
      });
      return { bytesRead };
    },
  };
}
