import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { stageSecret } from '#shared/adapters/secrets-manager/stage-secret.ts';
import { webhookCaller } from '#shared/adapters/webhooks/webhook-caller.ts';
import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, readReceiverMode, tableEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { keyRateLimiter } from '#shared/storage/rate-limits.ts';
import { webhookReader } from '#shared/storage/webhooks/reader.ts';
import { createHandler } from './handler.ts';

const { webhooks, webhookSecretId, ...env } = readEnv({
  ...tableEnv('webhooks', 'rateLimits'),
  webhookSecretId: envNames.webhookSecretId,
});
const documents = documentClient();

export const handler = createHandler({
  webhooks: webhookReader(documents, webhooks),
  stageSecret: stageSecret(new SecretsManagerClient(clientDefaults), webhookSecretId),
  caller: webhookCaller({ mode: readReceiverMode() }),
  tests: keyRateLimiter(documents, env.rateLimits),
  admission: admissionFromEnv(documents),
});
