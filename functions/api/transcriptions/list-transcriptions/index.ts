import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { transcriptionLister } from '#shared/storage/transcriptions/list.ts';
import { createHandler } from './handler.ts';

const { transcriptions } = readEnv(tableEnv('transcriptions'));
const documents = documentClient();

export const handler = createHandler({
  listTranscriptions: transcriptionLister(documents, transcriptions),
  admission: admissionFromEnv(documents),
});
