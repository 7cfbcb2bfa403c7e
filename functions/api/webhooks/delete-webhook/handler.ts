import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { WebhookStore } from '#shared/use-cases/webhooks/ports.ts';

type Deps = { readonly admission: Admission; readonly webhooks: Pick<WebhookStore, 'remove'> };

/**
 * DELETE /v1/webhooks/{webhookId}: removes a webhook. A repeated request gets the same response. The rows of its deliveries stay until
 * they expire: they hold nothing personal, nothing lists them without their webhook, and no id is used again.
 */
export const createHandler = ({ admission, webhooks }: Deps) =>
  endpoint(webhookEndpoints.deleteWebhook, admission, async ({ organizationId, params: { webhookId } }) => {
    await webhooks.remove({ organizationId, webhookId });
    return { facts: { webhookId } };
  });
