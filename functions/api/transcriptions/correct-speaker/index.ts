import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { admissionEnv, admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, readSpeakerRoles } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { sessionPeople } from '#shared/storage/insights/session-people.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers.ts';
import { createHandler } from './handler.ts';

const { transcriptions, transcriptSpeakers, insightFacts, changesQueueUrl, ...env } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  transcriptSpeakers: envNames.transcriptSpeakersTable,
  insightFacts: envNames.insightFactsTable,
  changesQueueUrl: envNames.transcriptChangesQueue,
  ...admissionEnv,
});
const documents = documentClient();

export const handler = createHandler({
  transcriptions: transcriptionRepository(documents, transcriptions),
  speakers: speakerRepository(documents, transcriptSpeakers),
  people: sessionPeople(documents, insightFacts, { speakerRoles: readSpeakerRoles() }),
  sendChange: transcriptChanges(new SQSClient(clientDefaults), changesQueueUrl),
  admission: admissionFromEnv(documents, env),
});
