import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { activityRequests } from '#shared/queue/activity-requests.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { readEnv, readRetentionDays, readTimeBounds, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { refusedEventLog } from '#shared/storage/platforms/refused-events.ts';
import { createHandler } from './handler.ts';

const { facts, queueUrl, changesQueueUrl, ...tables } = readEnv({
  ...tableEnv('refusedEvents', 'rateLimits', 'notices'),
  facts: envNames.insightFactsTable,
  queueUrl: envNames.networkSamplesQueue,
  changesQueueUrl: envNames.transcriptChangesQueue,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);

export const handler = createHandler({
  queue: { sqs, url: queueUrl },
  timeBounds: readTimeBounds(),
  recordRefusals: refusedEventLog(documents, tables),
  askForTalk: activityRequests(transcriptChanges(sqs, changesQueueUrl)),
  facts: insightFacts(documents, facts, { keptDays: readRetentionDays('sample') }),
});
