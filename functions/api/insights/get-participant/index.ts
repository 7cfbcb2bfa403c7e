import { admissionEnv, admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { createHandler } from './handler.ts';

const { facts, ...env } = readEnv({
  facts: envNames.insightFactsTable,
  ...admissionEnv,
});
const documents = documentClient();

export const handler = createHandler({
  facts: insightFacts(documents, facts),
  admission: admissionFromEnv(documents, env),
});
