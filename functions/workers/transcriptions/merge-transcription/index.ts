import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { correlated } from '#functions/wiring/correlated.ts';
import { clientDefaults, mediaClientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { parseTranscribeOutput } from '#shared/adapters/transcriptions/transcribe-output.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { readEnv, readSpeakerRoles, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { sessionPeople } from '#shared/storage/insights/session-people.ts';
import { speechReader } from '#shared/storage/insights/session-speech.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers/speakers.ts';
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
