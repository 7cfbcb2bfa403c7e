import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import { toDelivery } from '#shared/domain/webhooks/webhook.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { WebhookNotFound } from '#shared/runtime/errors.ts';
import type { DeliveryLister } from '#shared/storage/webhooks/delivery-list.ts';
import type { WebhookStore } from '#shared/use-cases/webhooks/ports.ts';

type Deps = {
  readonly admission: Admission;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly listDeliveries: DeliveryLister;
};

/** GET /v1/webhooks/{webhookId}/deliveries: one page of a webhook's deliveries, the latest notice first. */
export const createHandler = ({ admission, webhooks, listDeliveries }: Deps) =>
  endpoint(
    webhookEndpoints.listWebhookDeliveries,
    admission,
    async ({ organizationId, params: { webhookId }, query }) => {
      const key = { organizationId, webhookId };
      if (!(await webhooks.find(key))) throw new WebhookNotFound();
      const { results, cursor } = await listDeliveries(key, query);
      return { body: { results: results.map(toDelivery), cursor }, facts: { webhookId } };
    },
  );
