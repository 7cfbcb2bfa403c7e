import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import { toTranscription } from '#shared/domain/transcriptions/transcription.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { TranscriptionLister } from '#shared/storage/transcriptions/list.ts';

type Deps = { readonly admission: Admission; readonly listTranscriptions: TranscriptionLister };

/** GET /v1/transcriptions: one page of the caller's transcriptions, by default newest start first. */
export const createHandler = ({ admission, listTranscriptions }: Deps) =>
  endpoint(transcriptionEndpoints.listTranscriptions, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await listTranscriptions(organizationId, query);
    return { body: { results: results.map(toTranscription), cursor } };
  });
