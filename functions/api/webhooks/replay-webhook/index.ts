import { SQSClient } from '@aws-sdk/client-sqs';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import type { NoticeReplayMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { noticeFinder } from '#shared/storage/notices/notice-list.ts';
import { replayCeiling } from '#shared/storage/organization/ceilings.ts';
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
