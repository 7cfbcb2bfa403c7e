import { SQSClient } from '@aws-sdk/client-sqs';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { speakerChanges } from '#shared/storage/transcriptions/speakers/speaker-changes.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers/speakers.ts';
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
