import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import type { NoticeReplayMessage, WebhookRunMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { noticeRepository } from '#shared/storage/notices/notices.ts';
import { deliveryRepository } from '#shared/storage/webhooks/deliveries.ts';
import { webhookReplays } from '#shared/storage/webhooks/replays.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('notices', 'webhooks'),
  deliveries: envNames.webhookDeliveriesTable,
  queueUrl: envNames.noticeReplaysQueue,
  runsUrl: envNames.webhookRunsQueue,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);

export const handler = createHandler({
  queue: { sqs, url: env.queueUrl },
  replays: webhookReplays(documents, env.webhooks),
  notices: noticeRepository(documents, env.notices),
  deliveries: deliveryRepository(documents, env.deliveries),
  sendReplays: messageSender<NoticeReplayMessage>(sqs, env.queueUrl).send,
  sendRuns: messageSender<WebhookRunMessage>(sqs, env.runsUrl).send,
});
