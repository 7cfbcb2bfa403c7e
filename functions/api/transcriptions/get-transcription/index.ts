import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { spokenReader } from '#shared/storage/transcriptions/spoken.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  transcriptions: envNames.transcriptionsTable,
  transcriptSpeakers: envNames.transcriptSpeakersTable,
});
const documents = documentClient();

export const handler = createHandler({
  readSpoken: spokenReader(documents, env),
  admission: admissionFromEnv(documents),
});
