import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { correlated } from '#functions/wiring/correlated.ts';
import { clientDefaults, mediaClientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { look, mediaInspector } from '#shared/adapters/media/media-inspector.ts';
import { pacedStarts, transcribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import type {
  MediaPreparationMessage,
  TranscriptionJobMessage,
  TranscriptionMergeMessage,
} from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { countCorrection } from '#shared/storage/transcriptions/count-correction.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { transcriptionRefusal } from '#shared/storage/transcriptions/refusal.ts';
import { uncountedTranscriptions } from '#shared/storage/transcriptions/uncounted.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('transcriptions', 'transcriptionParts', 'rateLimits', 'notices'),
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.transcriptionJobsQueue,
  mergesQueueUrl: envNames.transcriptionMergesQueue,
  preparationQueueUrl: envNames.mediaPreparationQueue,
  jobNamePrefix: envNames.jobNamePrefix,
  partsAtOnce: envNames.transcriptionPartsAtOnce,
  startsPerSecond: envNames.transcribeStartsPerSecond,
  minutesPerDay: envNames.transcriptionMinutesPerDay,
  pieceMinutes: envNames.pieceMinutes,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);
const store = uncountedTranscriptions(documents, env);
const jobs = transcribeJobs(new TranscribeClient(clientDefaults), env.jobNamePrefix, env.transcriptsBucket);
const merges = messageSender<TranscriptionMergeMessage>(sqs, env.mergesQueueUrl);

export const handler = createHandler({
  queue: { sqs, url: env.queueUrl },
  transcriptions: correlated(store),
  refusal: transcriptionRefusal(documents, env, store),
  counts: countCorrection(documents, env, Number(env.minutesPerDay)),
  due: dueTranscriptions(documents, env.transcriptions),
  inspector: mediaInspector(new S3Client(mediaClientDefaults), look),
  pieceSeconds: Number(env.pieceMinutes) * 60,
  works: workRepository(documents, env.transcriptionParts),
  jobs: pacedStarts(jobs, Number(env.startsPerSecond)),
  partsAtOnce: Number(env.partsAtOnce),
  jobMessages: messageSender<TranscriptionJobMessage>(sqs, env.queueUrl),
  preparations: messageSender<MediaPreparationMessage>(sqs, env.preparationQueueUrl),
  sendMerge: (message) => merges.send(message.organizationId, [message]),
});
