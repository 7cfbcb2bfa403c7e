import type { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { type CreateDependencies, createTranscription } from '#shared/domain/create-transcription.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { log } from '#shared/logger.ts';
import type { MessageSender } from '#shared/queue/send.ts';

type Deps = CreateDependencies & {
  readonly organizationClaim: string;
  readonly jobs: MessageSender<TranscriptionJobMessage>;
};

/** POST /v1/transcriptions: at most one unfinished transcription of a recording, whoever asks however often. */
export const createHandler = ({ organizationClaim, jobs, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.createTranscription,
    organizationClaim,
    async ({ organizationId, body: { recordingId } }) => {
      const { transcriptionId, isNew } = await createTranscription(deps, organizationId, recordingId);
      if (isNew) {
        try {
          await jobs.send([{ organizationId, transcriptionId, attempt: 0 }]);
        } catch (error) {
          log.warn('job message not sent: the reconciler will send it', error, { transcriptionId });
        }
      }
      return { headers: { location: `/v1/transcriptions/${transcriptionId}` }, facts: { transcriptionId, isNew } };
    },
  );
