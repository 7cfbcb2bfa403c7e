import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/domain/delete-transcription.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';

type Deps = DeleteDependencies & { readonly admission: Admission };

/** DELETE /v1/transcriptions/{transcriptionId}: whole when it answers, and the same answer when it was gone before. */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.deleteTranscription,
    admission,
    async ({ organizationId, params: { transcriptionId } }) => {
      await deleteTranscription(deps, organizationId, transcriptionId);
      return { facts: { transcriptionId } };
    },
  );
