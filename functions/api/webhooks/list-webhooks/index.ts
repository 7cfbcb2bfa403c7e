import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { webhookLister } from '#shared/storage/webhooks/list.ts';
import { createHandler } from './handler.ts';

const { webhooks } = readEnv(tableEnv('webhooks'));
const documents = documentClient();

export const handler = createHandler({
  listWebhooks: webhookLister(documents, webhooks),
  admission: admissionFromEnv(documents),
});
