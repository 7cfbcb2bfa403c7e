import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import { shownSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import { existing, toDetail } from '#shared/domain/transcriptions/transcription.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { SpokenReader } from '#shared/use-cases/transcriptions/speakers/ports.ts';

type Deps = { readonly admission: Admission; readonly readSpoken: SpokenReader };

/** GET /v1/transcriptions/{transcriptionId}: the current transcription, with who speaks in it. A deleted one is not found. */
export const createHandler = ({ admission, readSpoken }: Deps) =>
  endpoint(
    transcriptionEndpoints.getTranscription,
    admission,
    async ({ organizationId, params: { transcriptionId } }) => {
      const { stored, speakers } = await readSpoken({ organizationId, transcriptionId });
      const record = existing(stored);
      const shown = speakers && record.state === 'ready' && shownSpeakers(speakers); // they are stored shortly before the state
      return { body: { ...toDetail(record), ...shown }, facts: { transcriptionId } };
    },
  );
