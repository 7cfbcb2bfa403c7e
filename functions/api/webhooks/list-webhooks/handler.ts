import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import { toWebhook } from '#shared/domain/webhooks/webhook.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { WebhookLister } from '#shared/storage/webhooks/list.ts';

type Deps = { readonly admission: Admission; readonly listWebhooks: WebhookLister; readonly now?: () => Date };

/** GET /v1/webhooks: one page of the caller's webhooks, the oldest first. */
export const createHandler = ({ admission, listWebhooks, now = () => new Date() }: Deps) =>
  endpoint(webhookEndpoints.listWebhooks, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await listWebhooks(organizationId, query);
    const at = now();
    return { body: { results: results.map((webhook) => toWebhook(webhook, at)), cursor } };
  });
