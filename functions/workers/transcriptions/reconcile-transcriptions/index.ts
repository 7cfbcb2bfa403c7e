import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { correlated } from '#functions/wiring/correlated.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { transcribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import type {
  TranscribeJobStateChange,
  TranscriptionJobMessage,
  TranscriptionMergeMessage,
} from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { uncountedTranscriptions } from '#shared/storage/transcriptions/uncounted.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('transcriptions', 'transcriptionParts', 'transcriptSpeakers', 'notices'),
  transcriptsBucket: envNames.transcriptsBucket,
  jobsQueueUrl: envNames.transcriptionJobsQueue,
  resultsQueueUrl: envNames.transcriptionResultsQueue,
  mergesQueueUrl: envNames.transcriptionMergesQueue,
  jobNamePrefix: envNames.jobNamePrefix,
  partsAtOnce: envNames.transcriptionPartsAtOnce,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);
const jobs = transcribeJobs(new TranscribeClient(clientDefaults), env.jobNamePrefix, env.transcriptsBucket);
const results = messageSender<TranscribeJobStateChange>(sqs, env.resultsQueueUrl);
const merges = messageSender<TranscriptionMergeMessage>(sqs, env.mergesQueueUrl);

export const handler = createHandler({
  transcriptions: correlated(uncountedTranscriptions(documents, env)),
  due: dueTranscriptions(documents, env.transcriptions),
  works: workRepository(documents, env.transcriptionParts),
  files: withSpeakers(
    transcriptFiles(new S3Client(clientDefaults), env.transcriptsBucket),
    speakerRepository(documents, env),
  ),
  jobs,
  partsAtOnce: Number(env.partsAtOnce),
  sendJobs: messageSender<TranscriptionJobMessage>(sqs, env.jobsQueueUrl).send,
  sendMerge: (message) => merges.send(message.organizationId, [message]),
  sendResult: (owner, result) => results.send(owner.organizationId, [jobs.stateChange(owner, result)]),
});
