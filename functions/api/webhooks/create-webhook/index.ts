import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { v7 as newId } from 'uuid';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { stageSecret } from '#shared/adapters/secrets-manager/stage-secret.ts';
import { webhookCaller } from '#shared/adapters/webhooks/webhook-caller.ts';
import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, readReceiverMode, tableEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { idempotentCalls } from '#shared/storage/idempotency.ts';
import { webhookCreation } from '#shared/storage/webhooks/creation.ts';
import { createHandler } from './handler.ts';

const { webhooks, rateLimits, webhookSecretId, webhooksPerOrganization, apiUrl, ...env } = readEnv({
  ...tableEnv('webhooks', 'idempotencyKeys', 'rateLimits'),
  webhookSecretId: envNames.webhookSecretId,
  webhooksPerOrganization: envNames.webhooksPerOrganization,
  apiUrl: envNames.apiUrl,
});
const documents = documentClient();

export const handler = createHandler({
  creation: webhookCreation(documents, { webhooks, rateLimits }),
  caller: webhookCaller({ mode: readReceiverMode() }),
  apiUrl,
  webhooksPerOrganization: Number(webhooksPerOrganization),
  newId,
  stageSecret: stageSecret(new SecretsManagerClient(clientDefaults), webhookSecretId),
  runOnce: idempotentCalls(documents, env.idempotencyKeys),
  admission: admissionFromEnv(documents),
});
