import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { stageSecret } from '#shared/adapters/webhooks/stage-secret.ts';
import { webhookCaller } from '#shared/adapters/webhooks/webhook-caller.ts';
import { readEnv, readReceiverMode, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { keyRateLimiter } from '#shared/storage/organization/rate-limits.ts';
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
