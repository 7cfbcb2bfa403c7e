import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { deliveryKeyOf, plannedDelivery, wantsNotice } from '#shared/domain/webhooks/delivery.ts';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { isParked } from '#shared/domain/webhooks/webhook-parking.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import type { DeliveryStore, SendRuns, WebhookReader } from './delivery-ports.ts';

/** What planning deliveries needs. */
export type PlanDependencies = {
  readonly webhooks: WebhookReader;
  readonly deliveries: Pick<DeliveryStore, 'plan'>;
  readonly sendRuns: SendRuns;
  readonly now?: () => Date;
};

const writesAtOnce = 10;

/**
 * Plans the delivery of a notice to each webhook that wants it, and asks for a run of each. A repeat plans nothing again, and asks once
 * more, because the process before may have died in between. A parked webhook is due by itself. Returns the number of deliveries.
 */
export async function planDeliveries(
  { webhooks, deliveries, sendRuns, now = () => new Date() }: PlanDependencies,
  notice: OrganizationNotice,
): Promise<number> {
  const { organizationId } = notice;
  const all = await webhooks.listOf(organizationId, notice.createdAt);
  const wanting = all.filter((webhook) => wantsNotice(webhook, notice));
  const plan = async (webhook: WebhookRecord) => {
    const delivery = plannedDelivery(webhook, notice, now());
    await deliveries.plan(delivery);
    const { webhookId } = webhook;
    return isParked(webhook, now()) ? [] : [{ organizationId, webhookId, deliveryKey: deliveryKeyOf(delivery) }];
  };
  for (const some of chunk(wanting, writesAtOnce)) {
    const runs = (await Promise.all(some.map(plan))).flat();
    if (runs.length > 0) await sendRuns(organizationId, runs);
  }
  return wanting.length;
}
