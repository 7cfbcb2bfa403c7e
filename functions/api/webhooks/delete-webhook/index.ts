import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { webhookRegistry } from '#shared/storage/webhooks/registry.ts';
import { createHandler } from './handler.ts';

const { webhooks } = readEnv(tableEnv('webhooks'));
const documents = documentClient();

export const handler = createHandler({
  webhooks: webhookRegistry(documents, webhooks),
  admission: admissionFromEnv(documents),
});
