import { SQSClient } from '@aws-sdk/client-sqs';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import type { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { bulkDeleteCeiling } from '#shared/storage/organization/ceilings.ts';
import { idempotentCalls } from '#shared/storage/organization/idempotency.ts';
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
