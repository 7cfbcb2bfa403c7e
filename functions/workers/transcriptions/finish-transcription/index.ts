import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { correlated } from '#functions/wiring/correlated.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { transcribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import { parseTranscribeOutput } from '#shared/adapters/transcriptions/transcribe-output.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import type { TranscriptionJobMessage, TranscriptionMergeMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { readEnv, readSpeakerRoles, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { sessionPeople } from '#shared/storage/insights/session-people.ts';
import { speechReader } from '#shared/storage/insights/session-speech.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('transcriptions', 'transcriptionParts', 'transcriptSpeakers', 'notices', 'usageDays', 'insightFacts'),
  changesQueueUrl: envNames.transcriptChangesQueue,
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.transcriptionResultsQueue,
  jobsQueueUrl: envNames.transcriptionJobsQueue,
  mergesQueueUrl: envNames.transcriptionMergesQueue,
  jobNamePrefix: envNames.jobNamePrefix,
  partsAtOnce: envNames.transcriptionPartsAtOnce,
});

/** Three transcriptions of a batch end at once. So many bytes are the joins of 28 000 people. One such log takes up to 230 MB, and three take 310. */
const mostBytesOfSession = 8 * 1024 * 1024;

const documents = documentClient();
const speakers = speakerRepository(documents, env);
const sqs = new SQSClient(clientDefaults);
const merges = messageSender<TranscriptionMergeMessage>(sqs, env.mergesQueueUrl);

export const handler = createHandler({
  queue: { sqs, url: env.queueUrl },
  transcriptions: correlated(transcriptionRepository(documents, env)),
  due: dueTranscriptions(documents, env.transcriptions),
  works: workRepository(documents, env.transcriptionParts),
  files: withSpeakers(transcriptFiles(new S3Client(clientDefaults), env.transcriptsBucket), speakers),
  speakers,
  sendChange: transcriptChanges(sqs, env.changesQueueUrl),
  jobs: transcribeJobs(new TranscribeClient(clientDefaults), env.jobNamePrefix, env.transcriptsBucket),
  partsAtOnce: Number(env.partsAtOnce),
  sendJobs: messageSender<TranscriptionJobMessage>(sqs, env.jobsQueueUrl).send,
  sendMerge: (message) => merges.send(message.organizationId, [message]),
  people: sessionPeople(documents, env.insightFacts, {
    speakerRoles: readSpeakerRoles(),
    mostBytes: mostBytesOfSession,
  }),
  speech: speechReader(documents, env.insightFacts),
  parseOutput: parseTranscribeOutput,
});
