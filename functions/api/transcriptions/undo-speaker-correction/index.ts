import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { speakerChanges } from '#shared/storage/transcriptions/speaker-changes.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { createHandler } from './handler.ts';

const { transcriptions, transcriptSpeakers, changesQueueUrl, ...env } = readEnv({
  ...tableEnv('transcriptions', 'transcriptSpeakers', 'notices'),
  changesQueueUrl: envNames.transcriptChangesQueue,
});
const documents = documentClient();

export const handler = createHandler({
  transcriptions: untoldTranscriptions(documents, transcriptions),
  speakers: speakerRepository(documents, { transcriptions, transcriptSpeakers }),
  changes: speakerChanges(documents, { transcriptSpeakers, transcriptions, notices: env.notices }),
  sendChange: transcriptChanges(new SQSClient(clientDefaults), changesQueueUrl),
  admission: admissionFromEnv(documents),
});
