import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { webhookLister } from '#shared/storage/webhooks/list.ts';
import { createHandler } from './handler.ts';

const { webhooks } = readEnv({ webhooks: envNames.webhooksTable });
const documents = documentClient();

export const handler = createHandler({
  listWebhooks: webhookLister(documents, webhooks),
  admission: admissionFromEnv(documents),
});
