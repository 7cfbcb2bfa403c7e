import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { roomSessionLister } from '#shared/storage/insights/lists.ts';
import { createHandler } from './handler.ts';

const { rooms, roomSessions } = readEnv(tableEnv('rooms', 'roomSessions'));
const documents = documentClient();

export const handler = createHandler({
  listRoomSessions: roomSessionLister(documents, { rooms, roomSessions }),
  admission: admissionFromEnv(documents),
});
