import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { webhookReader } from '#shared/storage/webhooks/reader.ts';
import { createHandler } from './handler.ts';

const { webhooks } = readEnv({ webhooks: envNames.webhooksTable });
const documents = documentClient();

export const handler = createHandler({
  webhooks: webhookReader(documents, webhooks),
  admission: admissionFromEnv(documents),
});
