import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { insightFacts } from '#shared/storage/insight-facts.ts';
import { createHandler } from './handler.ts';

const { facts, organizationClaim } = readEnv({
  facts: envNames.insightFactsTable,
  organizationClaim: envNames.organizationClaim,
});

/** What Lambda calls. */
export const handler = createHandler({
  facts: insightFacts(documentClient(), facts),
  organizationClaim,
});
