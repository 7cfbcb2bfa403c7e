import { TranscriptChangeMessage } from '#shared/contracts/messages.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { type WriteDependencies, writeTranscript } from '#shared/use-cases/write-transcript.ts';

type Deps = WriteDependencies & { readonly queue: WorkerQueue };

/**
 * Writes the files of a transcript again after its speakers were corrected. The message may come twice, late, or after the transcription
 * was deleted.
 */
export const createHandler = ({ queue, ...deps }: Deps) =>
  worker(
    { name: 'write-transcript', schema: TranscriptChangeMessage, queue, factsOf: (message) => message },
    ({ organizationId, transcriptionId }) => writeTranscript(deps, { organizationId, transcriptionId }),
  );
