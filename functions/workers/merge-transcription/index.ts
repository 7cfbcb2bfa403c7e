import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults, mediaClientDefaults } from '#shared/adapters/client-defaults.ts';
import { transcriptFiles } from '#shared/adapters/s3/transcript-files.ts';
import { parseTranscribeOutput } from '#shared/adapters/transcribe/transcribe-output.ts';
import { correlated } from '#shared/correlated.ts';
import { readEnv, readSpeakerRoles, tableEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { sessionPeople } from '#shared/storage/insights/session-people.ts';
import { speechReader } from '#shared/storage/insights/session-speech.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('transcriptions', 'transcriptionParts', 'transcriptSpeakers', 'notices', 'usageDays', 'insightFacts'),
  changesQueueUrl: envNames.transcriptChangesQueue,
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.transcriptionMergesQueue,
});

const documents = documentClient();
const sqs = new SQSClient(clientDefaults);
const speakers = speakerRepository(documents, env);

export const handler = createHandler({
  queue: { sqs, url: env.queueUrl },
  transcriptions: correlated(transcriptionRepository(documents, env)),
  works: workRepository(documents, env.transcriptionParts),
  files: withSpeakers(transcriptFiles(new S3Client(mediaClientDefaults), env.transcriptsBucket), speakers),
  speakers,
  sendChange: transcriptChanges(sqs, env.changesQueueUrl),
  people: sessionPeople(documents, env.insightFacts, { speakerRoles: readSpeakerRoles() }),
  speech: speechReader(documents, env.insightFacts),
  parseOutput: parseTranscribeOutput,
});
