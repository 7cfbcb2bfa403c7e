import { admissionEnv, admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { createHandler } from './handler.ts';

const { transcriptions, transcriptSpeakers, ...env } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  transcriptSpeakers: envNames.transcriptSpeakersTable,
  ...admissionEnv,
});
const documents = documentClient();

export const handler = createHandler({
  transcriptions: untoldTranscriptions(documents, transcriptions),
  speakers: speakerRepository(documents, transcriptSpeakers),
  admission: admissionFromEnv(documents, env),
});
