import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { connectionSecrets } from '#shared/adapters/platforms/connection-secrets.ts';
import { hookFiles } from '#shared/adapters/platforms/hook-files.ts';
import type { HookMessage } from '#shared/contracts/messages.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { keyRateLimiter } from '#shared/storage/organization/rate-limits.ts';
import { connectionRepository, rememberedConnections } from '#shared/storage/platforms/connections.ts';
import { createHandler } from './handler.ts';

const { connections, rateLimits, transcriptsBucket, queueUrl, secretPrefix, apiUrl } = readEnv({
  ...tableEnv('connections', 'rateLimits'),
  transcriptsBucket: envNames.transcriptsBucket,
  queueUrl: envNames.platformHooksQueue,
  secretPrefix: envNames.connectionSecretPrefix,
  apiUrl: envNames.apiUrl,
});
const documents = documentClient();
const hookMessages = messageSender<HookMessage>(new SQSClient(clientDefaults), queueUrl);

export const handler = createHandler({
  connections: rememberedConnections(connectionRepository(documents, connections)),
  secrets: connectionSecrets(new SecretsManagerClient(clientDefaults), secretPrefix),
  platforms,
  apiUrl,
  hooks: hookFiles(new S3Client(clientDefaults), transcriptsBucket),
  sendHook: (message) => hookMessages.send(message.organizationId, [message], { group: message.connectionId }),
  rateLimiter: keyRateLimiter(documents, rateLimits),
  now: () => new Date(),
});
