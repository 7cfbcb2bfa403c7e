import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { recordingFiles } from '#shared/adapters/s3/recording-files.ts';
import { transcribeJobs } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import type { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { correlated } from '#shared/correlated.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { messageSender } from '#shared/queue/send.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { transcriptionRefusal } from '#shared/storage/transcriptions/refusal.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { createHandler } from './handler.ts';

const { transcriptions, rateLimits, transcriptsBucket, queueUrl, jobNamePrefix } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  rateLimits: envNames.rateLimitsTable,
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.transcriptionJobsQueue,
  jobNamePrefix: envNames.jobNamePrefix,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);
const store = transcriptionRepository(documents, transcriptions);

export const handler = createHandler({
  queue: { sqs, url: queueUrl },
  transcriptions: correlated(store),
  refusal: transcriptionRefusal(documents, { transcriptions, rateLimits }, store),
  due: dueTranscriptions(documents, transcriptions),
  recordings: recordingFiles(new S3Client(clientDefaults)),
  jobs: transcribeJobs(new TranscribeClient(clientDefaults), jobNamePrefix, transcriptsBucket),
  jobMessages: messageSender<TranscriptionJobMessage>(sqs, queueUrl),
});
