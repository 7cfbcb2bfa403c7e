import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { transcribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { uncountedTranscriptions } from '#shared/storage/transcriptions/uncounted.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('transcriptions', 'transcriptionParts', 'transcriptSpeakers', 'notices'),
  changesQueueUrl: envNames.transcriptChangesQueue,
  transcriptsBucket: envNames.transcriptsBucket,
  jobNamePrefix: envNames.jobNamePrefix,
});
const documents = documentClient();

export const handler = createHandler({
  transcriptions: uncountedTranscriptions(documents, env),
  works: workRepository(documents, env.transcriptionParts),
  files: transcriptFiles(new S3Client(clientDefaults), env.transcriptsBucket),
  speakers: speakerRepository(documents, env),
  sendChange: transcriptChanges(new SQSClient(clientDefaults), env.changesQueueUrl),
  jobs: transcribeJobs(new TranscribeClient(clientDefaults), env.jobNamePrefix, env.transcriptsBucket),
  admission: admissionFromEnv(documents),
});
