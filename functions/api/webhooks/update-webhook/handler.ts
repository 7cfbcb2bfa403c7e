import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import { toWebhook } from '#shared/domain/webhooks/webhook.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type UpdateWebhookDependencies, updateWebhook } from '#shared/use-cases/webhooks/update-webhook.ts';

type Deps = Omit<UpdateWebhookDependencies, 'now'> & { readonly admission: Admission; readonly now?: () => Date };

/** PATCH /v1/webhooks/{webhookId}: changes what the body names. */
export const createHandler = ({ admission, now = () => new Date(), ...deps }: Deps) =>
  endpoint(webhookEndpoints.updateWebhook, admission, async ({ organizationId, params: { webhookId }, body }) => {
    const webhook = await updateWebhook({ ...deps, now }, { organizationId, webhookId }, body);
    return { body: toWebhook(webhook, now()), facts: { webhookId } };
  });
