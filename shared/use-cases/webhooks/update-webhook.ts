import type { UpdateWebhook } from '#shared/contracts/webhooks/webhooks.ts';
import type { WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { changesOf, startsAfresh } from '#shared/domain/webhooks/webhook-changes.ts';
import { WebhookNotFound } from '#shared/runtime/errors.ts';
import { callableUrl, type UrlDependencies } from './callable-url.ts';
import type { WebhookStore } from './ports.ts';

/** What `updateWebhook` needs. */
export type UpdateWebhookDependencies = UrlDependencies & {
  readonly webhooks: Pick<WebhookStore, 'change'>;
  /** Asks for a run of the webhook. */
  readonly wake: (key: WebhookKey) => Promise<void>;
  readonly now: () => Date;
};

/**
 * Changes a webhook. If it was enabled or has a new address, its failures are forgotten and deliveries that waited go on. If the
 * queue does not take the message for that, the call fails, and a repetition sends it. If the message is lost, they go on two minutes later. Throws `WebhookNotFound`.
 */
export async function updateWebhook(
  { webhooks, wake, now, ...urls }: UpdateWebhookDependencies,
  key: WebhookKey,
  body: UpdateWebhook,
): Promise<WebhookRecord> {
  if (body.url !== undefined) callableUrl(urls, body.url);
  const changed = await webhooks.change(key, changesOf(body, now()));
  if (!changed) throw new WebhookNotFound();
  if (changed.state === 'enabled' && startsAfresh(body)) await wake(key);
  return changed;
}
