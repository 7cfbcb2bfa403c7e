import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { admissionFromEnv } from '#shared/admission-from-env.ts';
import type { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { messageSender } from '#shared/queue/send.ts';
import { bulkDeleteCeiling } from '#shared/storage/ceilings.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { idempotentCalls } from '#shared/storage/idempotency.ts';
import { createHandler } from './handler.ts';

const { queueUrl, idempotencyKeys, idsPerHour, ...env } = readEnv({
  ...tableEnv('idempotencyKeys', 'rateLimits'),
  queueUrl: envNames.bulkDeleteQueue,
  idsPerHour: envNames.bulkDeleteIdsPerHour,
});
const documents = documentClient();

export const handler = createHandler({
  bulkDeletes: messageSender<BulkDeleteMessage>(new SQSClient(clientDefaults), queueUrl),
  runOnce: idempotentCalls(documents, idempotencyKeys),
  admission: admissionFromEnv(documents),
  ceiling: bulkDeleteCeiling(documents, env.rateLimits, { idsPerHour: Number(idsPerHour) }),
});
