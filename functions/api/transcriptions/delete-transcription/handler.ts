import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/use-cases/transcriptions/delete-transcription.ts';

type Deps = DeleteDependencies & { readonly admission: Admission };

/**
 * DELETE /v1/transcriptions/{transcriptionId}: responds after the row and the files are deleted. If the job is still
 * running, its output is deleted after it ends. A repeated request gets the same response.
 */
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
