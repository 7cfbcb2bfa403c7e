import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { roomSessionLister } from '#shared/storage/insights/lists.ts';
import { createHandler } from './handler.ts';

const { rooms, roomSessions } = readEnv(tableEnv('rooms', 'roomSessions'));
const documents = documentClient();

export const handler = createHandler({
  listRoomSessions: roomSessionLister(documents, { rooms, roomSessions }),
  admission: admissionFromEnv(documents),
});
