import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import {
  readEnv,
  readNonParticipantRoles,
  readRetentionDays,
  readSessionIdleHours,
  readSessionSettleSeconds,
  readTimeBounds,
  tableEnv,
} from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { refusedEventLog } from '#shared/storage/platforms/refused-events.ts';
import { recordingRegistration } from '#shared/storage/transcriptions/recordings/registration.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { createHandler } from './handler.ts';

const { transcriptsBucket, queueUrl, ...tables } = readEnv({
  ...tableEnv(
    'recordings',
    'recordingFiles',
    'recordingTracks',
    'transcriptions',
    'rooms',
    'roomSessions',
    'participants',
    'insightFacts',
    'notices',
    'usageDays',
    'refusedEvents',
    'rateLimits',
  ),
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.roomEventsQueue,
});
const documents = documentClient();
const factRetentionDays = readRetentionDays('fact');
const facts = insightFacts(documents, tables.insightFacts, { keptDays: factRetentionDays });

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: queueUrl },
  timeBounds: readTimeBounds(),
  recordRefusals: refusedEventLog(documents, tables),
  registration: recordingRegistration(documents, tables),
  transcriptions: transcriptionRepository(documents, tables),
  facts,
  insights: sessionInsights(documents, tables, facts),
  files: transcriptFiles(new S3Client(clientDefaults), transcriptsBucket),
  transcriptsBucket,
  factRetentionDays,
  sessionIdleHours: readSessionIdleHours(),
  sessionSettleSeconds: readSessionSettleSeconds(),
  nonParticipantRoles: readNonParticipantRoles(),
});
