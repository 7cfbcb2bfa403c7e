import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import type { WebhookRunMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { deliveryRepository } from '#shared/storage/webhooks/deliveries.ts';
import { keptWebhooks } from '#shared/storage/webhooks/kept-webhooks.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  webhooks: envNames.webhooksTable,
  deliveries: envNames.webhookDeliveriesTable,
  queueUrl: envNames.deliveryPlansQueue,
  runsUrl: envNames.webhookRunsQueue,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);

export const handler = createHandler({
  queue: { sqs, url: env.queueUrl },
  webhooks: keptWebhooks(documents, env.webhooks),
  deliveries: deliveryRepository(documents, env.deliveries),
  sendRuns: messageSender<WebhookRunMessage>(sqs, env.runsUrl).send,
});
