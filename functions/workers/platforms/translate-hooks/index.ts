import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { hookFiles } from '#shared/adapters/platforms/hook-files.ts';
import { manifestFiles } from '#shared/adapters/platforms/manifest-files.ts';
import type { HookMessage } from '#shared/contracts/messages.ts';
import type { NewEvent } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, readHookRetentionDays, readTimeBounds, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { platformSessions } from '#shared/storage/platforms/platform-sessions.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...tableEnv('connections', 'platformSessions', 'roomSessions'),
  transcriptsBucket: envNames.transcriptsBucket,
  recordingsBucket: envNames.recordingsBucket,
  queueUrl: envNames.platformHooksQueue,
  roomEventsUrl: envNames.roomEventsQueue,
});
const documents = documentClient();
const s3 = new S3Client(clientDefaults);
const sqs = new SQSClient(clientDefaults);
const hookMessages = messageSender<HookMessage>(sqs, env.queueUrl);

export const handler = createHandler({
  queue: { sqs, url: env.queueUrl },
  connections: connectionRepository(documents, env.connections),
  hooks: hookFiles(s3, env.transcriptsBucket),
  sessions: platformSessions(documents, env.platformSessions, { hookDays: readHookRetentionDays() }),
  insights: sessionRepository(documents, env.roomSessions),
  timeBounds: readTimeBounds(),
  manifests: manifestFiles(s3),
  platforms,
  buckets: { recordings: env.recordingsBucket, transcripts: env.transcriptsBucket },
  sendHooks: ({ organizationId, connectionId }, messages, options) =>
    hookMessages.send(organizationId, messages, { ...options, group: connectionId }),
  sendEvents: messageSender<NewEvent>(sqs, env.roomEventsUrl).send,
});
