import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { transcriptFiles } from '#shared/adapters/s3/transcript-files.ts';
import { transcribeJobs } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import type { TranscribeJobStateChange, TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { correlated } from '#shared/correlated.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { messageSender } from '#shared/queue/send.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  transcriptions: envNames.transcriptionsTable,
  transcriptsBucket: envNames.transcriptsBucket,
  jobsQueueUrl: envNames.transcriptionJobsQueue,
  resultsQueueUrl: envNames.transcriptionResultsQueue,
  jobNamePrefix: envNames.jobNamePrefix,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);
const jobs = transcribeJobs(new TranscribeClient(clientDefaults), env.jobNamePrefix, env.transcriptsBucket);
const jobMessages = messageSender<TranscriptionJobMessage>(sqs, env.jobsQueueUrl);
const results = messageSender<TranscribeJobStateChange>(sqs, env.resultsQueueUrl);

export const handler = createHandler({
  transcriptions: correlated(transcriptionRepository(documents, env.transcriptions)),
  due: dueTranscriptions(documents, env.transcriptions),
  files: transcriptFiles(new S3Client(clientDefaults), env.transcriptsBucket),
  jobs,
  sendJob: (message) => jobMessages.send(message.organizationId, [message]),
  sendResult: (owner, result) => results.send(owner.organizationId, [jobs.stateChange(owner, result)]),
});
