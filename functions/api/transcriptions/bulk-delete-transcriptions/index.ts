import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import type { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { messageSender } from '#shared/queue/send.ts';
import { createHandler } from './handler.ts';

const { queueUrl, organizationClaim } = readEnv({
  queueUrl: envNames.bulkDeleteQueue,
  organizationClaim: envNames.organizationClaim,
});

/** What Lambda calls. */
export const handler = createHandler({
  bulkDeletes: messageSender<BulkDeleteMessage>(new SQSClient(clientDefaults), queueUrl),
  organizationClaim,
});
