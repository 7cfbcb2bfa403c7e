import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { createHandler } from './handler.ts';

const { transcriptions } = readEnv(tableEnv('transcriptions'));
const documents = documentClient();

export const handler = createHandler({
  transcriptions: untoldTranscriptions(documents, transcriptions),
  admission: admissionFromEnv(documents),
});
