import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { createRecordingLink, type RecordingLinkDependencies } from '#shared/use-cases/links/create-recording-link.ts';

type Deps = RecordingLinkDependencies & { readonly admission: Admission };

/** GET /v1/transcriptions/{transcriptionId}/recording-link: a link to the recording's file, if the stage allows it. */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.createRecordingLink,
    admission,
    async ({ organizationId, params: { transcriptionId }, query: { participantId } }) => ({
      body: await createRecordingLink(deps, organizationId, transcriptionId, participantId),
      facts: { transcriptionId },
    }),
  );
