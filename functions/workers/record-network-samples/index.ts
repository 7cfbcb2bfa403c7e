import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { readEnv, readRetentionDays, readTimeBounds } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { createHandler } from './handler.ts';

const { facts, queueUrl } = readEnv({ facts: envNames.insightFactsTable, queueUrl: envNames.networkSamplesQueue });

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: queueUrl },
  timeBounds: readTimeBounds(),
  facts: insightFacts(documentClient(), facts, { keptDays: readRetentionDays('sample') }),
});
