import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { stageSecret } from '#shared/adapters/webhooks/stage-secret.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { idempotentCalls } from '#shared/storage/organization/idempotency.ts';
import { webhookRegistry } from '#shared/storage/webhooks/registry.ts';
import { createHandler } from './handler.ts';

const { webhooks, idempotencyKeys, webhookSecretId } = readEnv({
  ...tableEnv('webhooks', 'idempotencyKeys'),
  webhookSecretId: envNames.webhookSecretId,
});
const documents = documentClient();

export const handler = createHandler({
  webhooks: webhookRegistry(documents, webhooks),
  stageSecret: stageSecret(new SecretsManagerClient(clientDefaults), webhookSecretId),
  runOnce: idempotentCalls(documents, idempotencyKeys),
  admission: admissionFromEnv(documents),
});
