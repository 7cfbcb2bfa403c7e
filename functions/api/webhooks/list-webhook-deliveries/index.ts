import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { deliveryLister } from '#shared/storage/webhooks/delivery-list.ts';
import { webhookReader } from '#shared/storage/webhooks/reader.ts';
import { createHandler } from './handler.ts';

const { webhooks, webhookDeliveries } = readEnv(tableEnv('webhooks', 'webhookDeliveries'));
const documents = documentClient();

export const handler = createHandler({
  webhooks: webhookReader(documents, webhooks),
  listDeliveries: deliveryLister(documents, webhookDeliveries),
  admission: admissionFromEnv(documents),
});
