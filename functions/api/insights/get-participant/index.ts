import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { participantFacts } from '#shared/storage/insights/participant-facts.ts';
import { createHandler } from './handler.ts';

const { facts, defaultSampleRateMs } = readEnv({
  facts: envNames.insightFactsTable,
  defaultSampleRateMs: envNames.defaultSampleRateMs,
});
const documents = documentClient();

export const handler = createHandler({
  facts: participantFacts(documents, facts),
  defaultSampleRateMs: Number(defaultSampleRateMs),
  admission: admissionFromEnv(documents),
});
