import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import { toWebhook } from '#shared/domain/webhooks/webhook.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { WebhookNotFound } from '#shared/runtime/errors.ts';
import type { WebhookStore } from '#shared/use-cases/webhooks/ports.ts';

type Deps = {
  readonly admission: Admission;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly now?: () => Date;
};

/** GET /v1/webhooks/{webhookId}: a webhook as it is now, without its secret. */
export const createHandler = ({ admission, webhooks, now = () => new Date() }: Deps) =>
  endpoint(webhookEndpoints.getWebhook, admission, async ({ organizationId, params: { webhookId } }) => {
    const webhook = await webhooks.find({ organizationId, webhookId });
    if (!webhook) throw new WebhookNotFound();
    return { body: toWebhook(webhook, now()), facts: { webhookId } };
  });
