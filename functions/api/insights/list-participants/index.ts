import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { participantLister } from '#shared/storage/insight-lists.ts';
import { createHandler } from './handler.ts';

const { participants, organizationClaim } = readEnv({
  participants: envNames.participantsTable,
  organizationClaim: envNames.organizationClaim,
});

/** What Lambda calls. */
export const handler = createHandler({
  listParticipants: participantLister(documentClient(), participants),
  organizationClaim,
});
