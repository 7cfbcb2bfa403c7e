import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { createHandler } from './handler.ts';

const { queueUrl } = readEnv({ queueUrl: envNames.platformHooksQueue });

export const handler = createHandler({ queue: { sqs: new SQSClient(clientDefaults), url: queueUrl } });
