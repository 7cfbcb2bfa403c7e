import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { admissionFromEnv } from '#shared/admission-from-env.ts';
import type { NoticeReplayMessage } from '#shared/contracts/messages.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { messageSender } from '#shared/queue/send.ts';
import { replayCeiling } from '#shared/storage/ceilings.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { noticeFinder } from '#shared/storage/notice-list.ts';
import { webhookRegistry } from '#shared/storage/webhooks/registry.ts';
import { createHandler } from './handler.ts';

const { webhooks, notices, replaysQueueUrl, replaysPerDay, ...env } = readEnv({
  ...tableEnv('webhooks', 'notices', 'rateLimits'),
  replaysQueueUrl: envNames.noticeReplaysQueue,
  replaysPerDay: envNames.replaysPerDay,
});
const documents = documentClient();
const replays = messageSender<NoticeReplayMessage>(new SQSClient(clientDefaults), replaysQueueUrl);

export const handler = createHandler({
  webhooks: webhookRegistry(documents, webhooks),
  notices: noticeFinder(documents, notices),
  ceiling: replayCeiling(documents, env.rateLimits, { replaysPerDay: Number(replaysPerDay) }),
  sendReplay: (message) => replays.send(message.organizationId, [message]),
  admission: admissionFromEnv(documents),
});
