import { admissionEnv, admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { roomSessionLister } from '#shared/storage/insights/lists.ts';
import { createHandler } from './handler.ts';

const { roomSessions, ...env } = readEnv({
  roomSessions: envNames.roomSessionsTable,
  ...admissionEnv,
});
const documents = documentClient();

export const handler = createHandler({
  listRoomSessions: roomSessionLister(documents, roomSessions),
  admission: admissionFromEnv(documents, env),
});
