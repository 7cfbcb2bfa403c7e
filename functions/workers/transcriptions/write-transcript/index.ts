import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults, mediaClientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import {
  readEnv,
  readRetentionDays,
  readSessionIdleHours,
  readSessionSettleSeconds,
  tableEnv,
} from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { sessionSpeech } from '#shared/storage/insights/session-speech.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { createHandler } from './handler.ts';

const { transcriptions, transcriptSpeakers, transcriptsBucket, queueUrl, ...tables } = readEnv({
  ...tableEnv(
    'transcriptions',
    'transcriptSpeakers',
    'rooms',
    'roomSessions',
    'participants',
    'insightFacts',
    'notices',
  ),
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.transcriptChangesQueue,
});
const documents = documentClient();
const speakers = speakerRepository(documents, { transcriptions, transcriptSpeakers });
const factRetentionDays = readRetentionDays('fact');
const facts = insightFacts(documents, tables.insightFacts, { keptDays: factRetentionDays });

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: queueUrl },
  transcriptions: untoldTranscriptions(documents, transcriptions),
  facts,
  speech: sessionSpeech(documents, tables.insightFacts),
  insights: sessionInsights(documents, tables, facts),
  factRetentionDays,
  sessionIdleHours: readSessionIdleHours(),
  sessionSettleSeconds: readSessionSettleSeconds(),
  speakers,
  files: withSpeakers(transcriptFiles(new S3Client(mediaClientDefaults), transcriptsBucket), speakers),
});
