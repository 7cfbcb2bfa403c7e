import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { settlingSessions } from '#shared/storage/insights/settling-sessions.ts';
import { createHandler } from './handler.ts';

const tables = readEnv({
  roomSessions: envNames.roomSessionsTable,
  notices: envNames.noticesTable,
  usageDays: envNames.usageDaysTable,
});
const documents = documentClient();

export const handler = createHandler({
  settling: settlingSessions(documents, tables),
  sessions: sessionRepository(documents, tables.roomSessions),
});
