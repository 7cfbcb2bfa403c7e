import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { roomSessionLister } from '#shared/storage/insight-lists.ts';
import { createHandler } from './handler.ts';

const { roomSessions, organizationClaim } = readEnv({
  roomSessions: envNames.roomSessionsTable,
  organizationClaim: envNames.organizationClaim,
});

/** What Lambda calls. */
export const handler = createHandler({
  listRoomSessions: roomSessionLister(documentClient(), roomSessions),
  organizationClaim,
});
