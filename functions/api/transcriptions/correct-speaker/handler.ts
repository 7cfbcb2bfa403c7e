import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type CorrectDependencies, correctSpeaker } from '#shared/use-cases/transcriptions/speakers/correct-speaker.ts';

type Deps = CorrectDependencies & { readonly admission: Admission };

/** PUT /v1/transcriptions/{transcriptionId}/speakers/{speaker}: stores who a speaker is, and has the files written again. */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.correctSpeaker,
    admission,
    async ({ organizationId, correlationId, params, body }) => ({
      body: await correctSpeaker(deps, { organizationId, ...params }, body, correlationId),
      facts: { transcriptionId: params.transcriptionId },
    }),
  );
