import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { roomSessionLister } from '#shared/storage/insights/lists.ts';
import { createHandler } from './handler.ts';

const { rooms, roomSessions } = readEnv({ rooms: envNames.roomsTable, roomSessions: envNames.roomSessionsTable });
const documents = documentClient();

export const handler = createHandler({
  listRoomSessions: roomSessionLister(documents, { rooms, roomSessions }),
  admission: admissionFromEnv(documents),
});
