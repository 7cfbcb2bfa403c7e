import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import type { InferredEnd } from '#shared/domain/inferred-end.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { messageSender } from '#shared/queue/send.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { idleSessions } from '#shared/storage/insights/idle-sessions.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { createHandler } from './handler.ts';

const env = readEnv({ roomSessions: envNames.roomSessionsTable, queueUrl: envNames.roomEventsQueue });
const documents = documentClient();
const sender = messageSender<InferredEnd>(new SQSClient(clientDefaults), env.queueUrl);

export const handler = createHandler({
  idle: idleSessions(documents, env.roomSessions),
  sessions: sessionRepository(documents, env.roomSessions),
  send: (end) => sender.send(end.organizationId, [end]),
});
