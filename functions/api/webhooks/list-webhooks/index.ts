import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { webhookLister } from '#shared/storage/webhooks/list.ts';
import { createHandler } from './handler.ts';

const { webhooks } = readEnv(tableEnv('webhooks'));
const documents = documentClient();

export const handler = createHandler({
  listWebhooks: webhookLister(documents, webhooks),
  admission: admissionFromEnv(documents),
});
