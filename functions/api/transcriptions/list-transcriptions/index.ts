import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { transcriptionLister } from '#shared/storage/transcriptions/list.ts';
import { createHandler } from './handler.ts';

const { transcriptions } = readEnv(tableEnv('transcriptions'));
const documents = documentClient();

export const handler = createHandler({
  listTranscriptions: transcriptionLister(documents, transcriptions),
  admission: admissionFromEnv(documents),
});
