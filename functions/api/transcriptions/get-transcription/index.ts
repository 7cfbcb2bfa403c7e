import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions.ts';
import { createHandler } from './handler.ts';

const { transcriptions, organizationClaim } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  organizationClaim: envNames.organizationClaim,
});

/** What Lambda calls. */
export const handler = createHandler({
  transcriptions: transcriptionRepository(documentClient(), transcriptions),
  organizationClaim,
});
