import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import { webhookSecret } from '#shared/domain/webhooks/webhook.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { completedIdempotent, type RunOnce } from '#shared/http/idempotent.ts';
import type { StageSecretReader } from '#shared/use-cases/webhooks/ports.ts';
import { type RotateDependencies, rotateWebhookSecret } from '#shared/use-cases/webhooks/rotate-webhook-secret.ts';

type Deps = RotateDependencies & {
  readonly admission: Admission;
  readonly runOnce: RunOnce;
  readonly stageSecret: StageSecretReader;
};

const definition = webhookEndpoints.rotateWebhookSecret;

/** POST /v1/webhooks/{webhookId}/secret: gives a webhook its next secret. Only its version is stored. */
export const createHandler = ({ admission, runOnce, stageSecret, ...deps }: Deps) =>
  endpoint(
    definition,
    admission,
    completedIdempotent(
      definition,
      runOnce,
      async ({ organizationId, params: { webhookId }, body, headers }) => {
        const webhook = { organizationId, webhookId };
        const key = headers['idempotency-key'];
        const rotated = await rotateWebhookSecret(deps, webhook, body.previousValidForSeconds, key);
        return { rotated, facts: { webhookId, secretVersion: rotated.secretVersion } };
      },
      async ({ rotated, ...kept }, { organizationId, params: { webhookId } }) => {
        const { secretVersion, previousSecretExpiresAt } = rotated;
        const secret = webhookSecret(await stageSecret.read(), { organizationId, webhookId }, secretVersion);
        return { ...kept, body: { secret, previousSecretExpiresAt } };
      },
    ),
  );
