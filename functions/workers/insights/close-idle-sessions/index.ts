import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import type { InferredEnd } from '#shared/domain/insights/session/inferred-end.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
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
