import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { recordMetrics } from '#shared/metrics.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/use-cases/delete-transcription.ts';

type Deps = DeleteDependencies & { readonly admission: Admission };

/** DELETE /v1/transcriptions/{transcriptionId}: everything is deleted when it responds. The response is the same if it was deleted before. */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.deleteTranscription,
    admission,
    async ({ organizationId, params: { transcriptionId } }) => {
      const wasThere = await deleteTranscription(deps, organizationId, transcriptionId);
      if (wasThere) recordMetrics({ TranscriptionsDeleted: 1 });
      return { facts: { transcriptionId } };
    },
  );
