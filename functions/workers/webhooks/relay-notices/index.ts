import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import type { NoticeMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { noticeRepository, toNotice } from '#shared/storage/notices/notices.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  notices: envNames.noticesTable,
  eventsUrl: envNames.noticeEventsQueue,
  plansUrl: envNames.deliveryPlansQueue,
});
const sqs = new SQSClient(clientDefaults);

export const handler = createHandler({
  read: toNotice,
  notices: noticeRepository(documentClient(), env.notices),
  sendEvents: messageSender<NoticeMessage>(sqs, env.eventsUrl).send,
  sendPlans: messageSender<NoticeMessage>(sqs, env.plansUrl).send,
});
