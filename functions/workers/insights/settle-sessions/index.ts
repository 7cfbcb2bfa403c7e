import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { settlingSessions } from '#shared/storage/insights/settling-sessions.ts';
import { createHandler } from './handler.ts';

const tables = readEnv(tableEnv('roomSessions', 'notices', 'usageDays'));
const documents = documentClient();

export const handler = createHandler({
  settling: settlingSessions(documents, tables),
  sessions: sessionRepository(documents, tables.roomSessions),
});
