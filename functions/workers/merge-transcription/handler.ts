import { TranscriptionMergeMessage } from '#shared/contracts/messages.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';

type Deps = { readonly queue: WorkerQueue };

/** To be built. */
export const createHandler = ({ queue }: Deps) =>
  worker(
    { name: 'merge-transcription', schema: TranscriptionMergeMessage, queue, factsOf: (message) => message },
    async () => {
      throw new Error('To be built.');
    },
  );
