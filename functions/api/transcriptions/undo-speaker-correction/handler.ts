import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type ChangeDependencies, undoCorrection } from '#shared/use-cases/transcriptions/speakers/correct-speaker.ts';

type Deps = ChangeDependencies & { readonly admission: Admission };

/**
 * DELETE /v1/transcriptions/{transcriptionId}/speakers/{speaker}: takes a correction back, and has the files written again. A repeated
 * request gets the same response.
 */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.undoSpeakerCorrection,
    admission,
    async ({ organizationId, correlationId, params }) => {
      await undoCorrection(deps, { organizationId, ...params }, correlationId);
      return { facts: { transcriptionId: params.transcriptionId } };
    },
  );
