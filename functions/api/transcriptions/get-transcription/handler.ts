import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { existing, toTranscription } from '#shared/domain/transcription.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { TranscriptionStore } from '#shared/use-cases/ports.ts';

type Deps = { readonly admission: Admission; readonly transcriptions: Pick<TranscriptionStore, 'find'> };

/** GET /v1/transcriptions/{transcriptionId}: the current transcription. A deleted one is not found. */
export const createHandler = ({ admission, transcriptions }: Deps) =>
  endpoint(
    transcriptionEndpoints.getTranscription,
    admission,
    async ({ organizationId, params: { transcriptionId } }) => {
      const record = existing(await transcriptions.find(organizationId, transcriptionId));
      return { body: toTranscription(record), facts: { transcriptionId } };
    },
  );
