import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import { Webhook } from '#shared/contracts/webhooks/webhooks.ts';
import { toWebhook, webhookSecret } from '#shared/domain/webhooks/webhook.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { completedIdempotent, type RunOnce } from '#shared/http/idempotent.ts';
import { type CreateWebhookDependencies, createWebhook } from '#shared/use-cases/webhooks/create-webhook.ts';
import type { StageSecretReader } from '#shared/use-cases/webhooks/ports.ts';

type Deps = CreateWebhookDependencies & {
  readonly admission: Admission;
  readonly runOnce: RunOnce;
  readonly stageSecret: StageSecretReader;
};

const definition = webhookEndpoints.createWebhook;

/** POST /v1/webhooks: creates a webhook. Its secret is added to the answer, and stored neither with it nor with an idempotency key. */
export const createHandler = ({ admission, runOnce, stageSecret, now = () => new Date(), ...deps }: Deps) =>
  endpoint(
    definition,
    admission,
    completedIdempotent(
      definition,
      runOnce,
      async ({ organizationId, body, headers }) => {
        const key = headers['idempotency-key'];
        const webhook = toWebhook(await createWebhook({ ...deps, now }, organizationId, body, key), now());
        const { webhookId } = webhook;
        return { webhook, headers: { location: `/v1/webhooks/${webhookId}` }, facts: { webhookId } };
      },
      async ({ webhook, ...kept }, { organizationId }) => {
        const secret = webhookSecret(await stageSecret.read(), { organizationId, webhookId: webhook.webhookId }, 1);
        return { ...kept, body: { ...Webhook.parse(webhook), secret } }; // what was kept has its fields in another order
      },
    ),
  );
