import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import type { NoticeMessage, WebhookRunMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { noticeRepository } from '#shared/storage/notices/notices.ts';
import { dueWebhooks } from '#shared/storage/webhooks/due.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('notices', 'webhooks'),
  eventsUrl: envNames.noticeEventsQueue,
  plansUrl: envNames.deliveryPlansQueue,
  runsUrl: envNames.webhookRunsQueue,
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);

export const handler = createHandler({
  notices: noticeRepository(documents, env.notices),
  due: dueWebhooks(documents, env.webhooks),
  sendEvents: messageSender<NoticeMessage>(sqs, env.eventsUrl).send,
  sendPlans: messageSender<NoticeMessage>(sqs, env.plansUrl).send,
  sendRuns: messageSender<WebhookRunMessage>(sqs, env.runsUrl).send,
});
