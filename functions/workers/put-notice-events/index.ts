import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { noticeBus } from '#shared/adapters/eventbridge/notice-bus.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { createHandler } from './handler.ts';

const env = readEnv({ bus: envNames.eventBusName, queueUrl: envNames.noticeEventsQueue });

export const handler = createHandler({
  queue: { sqs: new SQSClient(clientDefaults), url: env.queueUrl },
  putNotices: noticeBus(new EventBridgeClient(clientDefaults), env.bus),
});
