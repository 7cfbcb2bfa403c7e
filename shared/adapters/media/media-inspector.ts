import type { S3Client } from '@aws-sdk/client-s3';
import { failureCodeOf } from '#shared/domain/media/media-failure.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { MediaInspector } from '#shared/use-cases/media/ports.ts';
import { inspectMedia } from './inspect-media.ts';
import { headBudget, type ReadBudget } from './media-source.ts';
import { pinObject, s3File } from './s3-file.ts';

/** How much an inspection may take. */
type Effort = { readonly seconds: number; readonly budgetOf: (bytes: number) => ReadBudget };

/** A look at a file, by a function with little time and memory: what files that Transcribe takes as they are need at most. */
export const look: Effort = {
  seconds: 8,
  budgetOf: (bytes) => ({ ...headBudget(bytes), reads: 3, bytes: 16 * 1024 ** 2 }),
};

/** A thorough inspection. The largest tables of an honest file take a few seconds. */
export const inspection: Effort = { seconds: 30, budgetOf: headBudget };

/** Inspects files of S3. */
export function mediaInspector(s3: Pick<S3Client, 'send'>, { seconds, budgetOf }: Effort): MediaInspector {
  return {
    async inspect(location) {
      const signal = AbortSignal.timeout(seconds * 1000);
      try {
        const pinned = await pinObject(s3, location, signal);
        if (pinned === 'missing') return { refused: 'recording_missing' };
        if (pinned === 'unreadable') return { refused: 'media_unreadable' };
        const { facts } = await inspectMedia(s3File(s3, pinned), signal, budgetOf(pinned.bytes));
        return { file: pinned, facts };
      } catch (error) {
        if (signal.aborted) return 'unfinished';
        if (!(error instanceof MediaError)) throw error;
        return error.code === 'too_scattered' ? 'unfinished' : { refused: failureCodeOf(error.code) };
      }
    },
  };
}
