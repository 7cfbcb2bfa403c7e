import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { noticeBus } from '#shared/adapters/notices/notice-bus.ts';
import { readEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { createHandler } from './handler.ts';

const env = readEnv({ bus: envNames.eventBusName, queueUrl: envNames.noticeEventsQueue });

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: env.queueUrl },
  putNotices: noticeBus(new EventBridgeClient(clientDefaults), env.bus),
});
