import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { v7 as newId } from 'uuid';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { stageSecret } from '#shared/adapters/webhooks/stage-secret.ts';
import { webhookCaller } from '#shared/adapters/webhooks/webhook-caller.ts';
import { readEnv, readReceiverMode, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { idempotentCalls } from '#shared/storage/organization/idempotency.ts';
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
