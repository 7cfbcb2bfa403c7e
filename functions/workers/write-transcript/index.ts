import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults, mediaClientDefaults } from '#shared/adapters/client-defaults.ts';
import { transcriptFiles } from '#shared/adapters/s3/transcript-files.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers.ts';
import { createHandler } from './handler.ts';

const { transcriptSpeakers, transcriptsBucket, queueUrl } = readEnv({
  transcriptSpeakers: envNames.transcriptSpeakersTable,
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.transcriptChangesQueue,
});
const speakers = speakerRepository(documentClient(), transcriptSpeakers);

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: queueUrl },
  speakers,
  files: withSpeakers(transcriptFiles(new S3Client(mediaClientDefaults), transcriptsBucket), speakers),
});
