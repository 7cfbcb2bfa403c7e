import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { createHandler } from './handler.ts';

const { rooms } = readEnv(tableEnv('rooms'));
const documents = documentClient();

export const handler = createHandler({
  listRooms: roomLister(documents, rooms),
  admission: admissionFromEnv(documents),
});
