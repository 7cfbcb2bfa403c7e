import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { spokenReader } from '#shared/storage/transcriptions/speakers/spoken.ts';
import { createHandler } from './handler.ts';

const env = readEnv(tableEnv('transcriptions', 'transcriptSpeakers'));
const documents = documentClient();

export const handler = createHandler({
  readSpoken: spokenReader(documents, env),
  admission: admissionFromEnv(documents),
});
