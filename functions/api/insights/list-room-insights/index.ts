import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { createHandler } from './handler.ts';

const { rooms } = readEnv(tableEnv('rooms'));
const documents = documentClient();

export const handler = createHandler({
  listRooms: roomLister(documents, rooms),
  admission: admissionFromEnv(documents),
});
