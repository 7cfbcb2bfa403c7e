import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { sessionNetworkReader } from '#shared/storage/insights/session-network.ts';
import { createHandler } from './handler.ts';

const { facts } = readEnv({ facts: envNames.insightFactsTable });
const documents = documentClient();

export const handler = createHandler({
  networkOf: sessionNetworkReader(documents, facts),
  admission: admissionFromEnv(documents),
});
