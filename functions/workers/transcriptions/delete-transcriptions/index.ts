import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { transcribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import type { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
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
  queueUrl: envNames.bulkDeleteQueue,
  jobNamePrefix: envNames.jobNamePrefix,
});

const documents = documentClient();
const sqs = new SQSClient(clientDefaults);

export const handler = createHandler({
  queue: { sqs, url: env.queueUrl },
  bulkDeletes: messageSender<BulkDeleteMessage>(sqs, env.queueUrl),
  transcriptions: uncountedTranscriptions(documents, env),
  works: workRepository(documents, env.transcriptionParts),
  files: transcriptFiles(new S3Client(clientDefaults), env.transcriptsBucket),
  speakers: speakerRepository(documents, env),
  sendChange: transcriptChanges(sqs, env.changesQueueUrl),
  jobs: transcribeJobs(new TranscribeClient(clientDefaults), env.jobNamePrefix, env.transcriptsBucket),
});
