import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { readEnv, readRetentionDays, readTimeBounds } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { refusedEventLog } from '#shared/storage/refused-events.ts';
import { createHandler } from './handler.ts';

const { facts, queueUrl, ...tables } = readEnv({
  facts: envNames.insightFactsTable,
  refusedEvents: envNames.refusedEventsTable,
  rateLimits: envNames.rateLimitsTable,
  queueUrl: envNames.networkSamplesQueue,
});
const documents = documentClient();

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: queueUrl },
  timeBounds: readTimeBounds(),
  recordRefusals: refusedEventLog(documents, tables),
  facts: insightFacts(documents, facts, { keptDays: readRetentionDays('sample') }),
});
