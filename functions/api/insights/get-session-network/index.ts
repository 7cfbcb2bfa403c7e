import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { sessionNetworkReader } from '#shared/storage/insights/session-network.ts';
import { createHandler } from './handler.ts';

const { facts } = readEnv({ facts: envNames.insightFactsTable });
const documents = documentClient();

export const handler = createHandler({
  networkOf: sessionNetworkReader(documents, facts),
  admission: admissionFromEnv(documents),
});
