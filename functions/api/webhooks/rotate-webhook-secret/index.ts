import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { stageSecret } from '#shared/adapters/secrets-manager/stage-secret.ts';
import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { idempotentCalls } from '#shared/storage/idempotency.ts';
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
