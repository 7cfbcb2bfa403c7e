import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { spokenReader } from '#shared/storage/transcriptions/spoken.ts';
import { createHandler } from './handler.ts';

const env = readEnv(tableEnv('transcriptions', 'transcriptSpeakers'));
const documents = documentClient();

export const handler = createHandler({
  readSpoken: spokenReader(documents, env),
  admission: admissionFromEnv(documents),
});
