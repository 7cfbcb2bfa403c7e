import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { existing, toTranscription } from '#shared/domain/transcription.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { TranscriptionRepository } from '#shared/storage/transcriptions.ts';

type Deps = { readonly organizationClaim: string; readonly transcriptions: Pick<TranscriptionRepository, 'find'> };

/** GET /v1/transcriptions/{transcriptionId}: the transcription as it is now; a deleted one was never there. */
export const createHandler = ({ organizationClaim, transcriptions }: Deps) =>
  endpoint(
    transcriptionEndpoints.getTranscription,
    organizationClaim,
    async ({ organizationId, params: { transcriptionId } }) => {
      const record = existing(await transcriptions.find(organizationId, transcriptionId));
      return { body: toTranscription(record), facts: { transcriptionId } };
    },
  );
