import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { stageSecret } from '#shared/adapters/webhooks/stage-secret.ts';
import { webhookCaller } from '#shared/adapters/webhooks/webhook-caller.ts';
import type { WebhookRunMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, readReceiverMode, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { noticeRepository } from '#shared/storage/notices/notices.ts';
import { deliveryRepository } from '#shared/storage/webhooks/deliveries.ts';
import { webhookRuns } from '#shared/storage/webhooks/runs.ts';
import { slowPlaces } from '#shared/storage/webhooks/slow-places.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('notices', 'webhooks', 'rateLimits'),
  deliveries: envNames.webhookDeliveriesTable,
  queueUrl: envNames.webhookRunsQueue,
  secretId: envNames.webhookSecretId,
  disableDays: envNames.webhookDisableDays,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);

export const handler = createHandler({
  queue: { sqs, url: env.queueUrl },
  runs: webhookRuns(documents, env),
  slowPlaces: slowPlaces(documents, env.rateLimits),
  deliveries: deliveryRepository(documents, env.deliveries),
  notices: noticeRepository(documents, env.notices),
  caller: webhookCaller({ mode: readReceiverMode() }),
  secret: stageSecret(new SecretsManagerClient(clientDefaults), env.secretId),
  disableDays: Number(env.disableDays),
  sendRuns: messageSender<WebhookRunMessage>(sqs, env.queueUrl).send,
});
