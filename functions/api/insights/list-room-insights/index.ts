import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { roomLister } from '#shared/storage/insight-lists.ts';
import { createHandler } from './handler.ts';

const { rooms, organizationClaim } = readEnv({
  rooms: envNames.roomsTable,
  organizationClaim: envNames.organizationClaim,
});

/** What Lambda calls. */
export const handler = createHandler({
  listRooms: roomLister(documentClient(), rooms),
  organizationClaim,
});
