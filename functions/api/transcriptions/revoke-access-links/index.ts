import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { createHandler } from './handler.ts';

const { transcriptions } = readEnv({ transcriptions: envNames.transcriptionsTable });
const documents = documentClient();

export const handler = createHandler({
  transcriptions: untoldTranscriptions(documents, transcriptions),
  admission: admissionFromEnv(documents),
});
