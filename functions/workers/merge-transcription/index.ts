import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults, mediaClientDefaults } from '#shared/adapters/client-defaults.ts';
import { transcriptFiles } from '#shared/adapters/s3/transcript-files.ts';
import { parseTranscribeOutput } from '#shared/adapters/transcribe/transcribe-output.ts';
import { correlated } from '#shared/correlated.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { sessionPeople } from '#shared/storage/insights/session-people.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { createHandler } from './handler.ts';

const { transcriptions, transcriptionParts, insightFacts, transcriptsBucket, queueUrl } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  transcriptionParts: envNames.transcriptionPartsTable,
  insightFacts: envNames.insightFactsTable,
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.transcriptionMergesQueue,
});

const documents = documentClient();

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: queueUrl },
  transcriptions: correlated(transcriptionRepository(documents, transcriptions)),
  works: workRepository(documents, transcriptionParts),
  files: transcriptFiles(new S3Client(mediaClientDefaults), transcriptsBucket),
  people: sessionPeople(documents, insightFacts),
  parseOutput: parseTranscribeOutput,
});
