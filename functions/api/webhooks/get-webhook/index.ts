import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { webhookReader } from '#shared/storage/webhooks/reader.ts';
import { createHandler } from './handler.ts';

const { webhooks } = readEnv(tableEnv('webhooks'));
const documents = documentClient();

export const handler = createHandler({
  webhooks: webhookReader(documents, webhooks),
  admission: admissionFromEnv(documents),
});
