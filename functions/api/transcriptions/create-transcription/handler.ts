import type { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { idempotent, type RunOnce } from '#shared/http/idempotent.ts';
import type { MessageSender } from '#shared/queue/send.ts';
import { log } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { type CreateDependencies, createTranscription } from '#shared/use-cases/transcriptions/create-transcription.ts';

type Deps = CreateDependencies & {
  readonly admission: Admission;
  readonly runOnce: RunOnce;
  readonly jobs: MessageSender<TranscriptionJobMessage>;
};

const definition = transcriptionEndpoints.createTranscription;

/** POST /v1/transcriptions: starts a transcription, or returns the recording's unfinished one. */
export const createHandler = ({ admission, runOnce, jobs, ...deps }: Deps) =>
  endpoint(
    definition,
    admission,
    idempotent(definition, runOnce, async ({ organizationId, correlationId, body: { recordingId, options } }) => {
      const { transcriptionId, isNew } = await createTranscription(deps, {
        organizationId,
        recordingId,
        correlationId,
        options,
      });
      if (isNew) {
        recordMetrics({ TranscriptionsCreated: 1 });
        try {
          await jobs.send(organizationId, [{ organizationId, transcriptionId, correlationId, attempt: 0 }]);
        } catch (error) {
          log.warn('job message not sent: the reconciler will send it', error, { transcriptionId });
        }
      }
      return { headers: { location: `/v1/transcriptions/${transcriptionId}` }, facts: { transcriptionId, isNew } };
    }),
  );
