import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { type DeleteDependencies, deleteTranscription } from '#shared/domain/delete-transcription.ts';
import { endpoint } from '#shared/http/endpoint.ts';

type Deps = DeleteDependencies & { readonly organizationClaim: string };

/** DELETE /v1/transcriptions/{transcriptionId}: whole when it answers, and the same answer when it was gone before. */
export const createHandler = ({ organizationClaim, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.deleteTranscription,
    organizationClaim,
    async ({ organizationId, params: { transcriptionId } }) => {
      await deleteTranscription(deps, organizationId, transcriptionId);
      return { facts: { transcriptionId } };
    },
  );
