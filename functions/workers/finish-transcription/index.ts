import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { transcriptFiles } from '#shared/adapters/s3/transcript-files.ts';
import { transcribeJobs } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import { parseTranscribeOutput } from '#shared/adapters/transcribe/transcribe-output.ts';
import { correlated } from '#shared/correlated.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { createHandler } from './handler.ts';

const { transcriptions, transcriptsBucket, queueUrl, jobNamePrefix } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.transcriptionResultsQueue,
  jobNamePrefix: envNames.jobNamePrefix,
});

const documents = documentClient();

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: queueUrl },
  transcriptions: correlated(transcriptionRepository(documents, transcriptions)),
  due: dueTranscriptions(documents, transcriptions),
  files: transcriptFiles(new S3Client(clientDefaults), transcriptsBucket),
  jobs: transcribeJobs(new TranscribeClient(clientDefaults), jobNamePrefix, transcriptsBucket),
  parseOutput: parseTranscribeOutput,
});
