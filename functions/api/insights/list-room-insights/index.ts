import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { createHandler } from './handler.ts';

const { rooms } = readEnv({ rooms: envNames.roomsTable });
const documents = documentClient();

export const handler = createHandler({
  listRooms: roomLister(documents, rooms),
  admission: admissionFromEnv(documents),
});
