import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { shownSpeakers } from '#shared/domain/transcript-speakers.ts';
import { existing, toDetail } from '#shared/domain/transcription.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { SpeakerStore, TranscriptionStore } from '#shared/use-cases/ports.ts';

type Deps = {
  readonly admission: Admission;
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly speakers: Pick<SpeakerStore, 'find'>;
};

/** GET /v1/transcriptions/{transcriptionId}: the current transcription, with who speaks in it. A deleted one is not found. */
export const createHandler = ({ admission, transcriptions, speakers }: Deps) =>
  endpoint(
    transcriptionEndpoints.getTranscription,
    admission,
    async ({ organizationId, params: { transcriptionId } }) => {
      const [stored, who] = await Promise.all([
        transcriptions.find(organizationId, transcriptionId),
        speakers.find({ organizationId, transcriptionId }),
      ]);
      const record = existing(stored);
      const shown = who && record.state === 'ready' && shownSpeakers(who); // it is written shortly before the state
      return { body: { ...toDetail(record), ...shown }, facts: { transcriptionId } };
    },
  );
