import { SQSClient } from '@aws-sdk/client-sqs';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { webhookCaller } from '#shared/adapters/webhooks/webhook-caller.ts';
import type { WebhookRunMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, readReceiverMode } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { webhookRegistry } from '#shared/storage/webhooks/registry.ts';
import { createHandler } from './handler.ts';

const { webhooks, runsQueueUrl, apiUrl } = readEnv({
  webhooks: envNames.webhooksTable,
  runsQueueUrl: envNames.webhookRunsQueue,
  apiUrl: envNames.apiUrl,
});
const documents = documentClient();
const runs = messageSender<WebhookRunMessage>(new SQSClient(clientDefaults), runsQueueUrl);

export const handler = createHandler({
  webhooks: webhookRegistry(documents, webhooks),
  caller: webhookCaller({ mode: readReceiverMode() }),
  apiUrl,
  wake: (key) => runs.send(key.organizationId, [key]),
  admission: admissionFromEnv(documents),
});
