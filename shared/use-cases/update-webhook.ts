import type { UpdateWebhook } from '../contracts/webhooks.ts';
import type { WebhookKey, WebhookRecord } from '../domain/webhook.ts';
import { changesOf, startsAfresh } from '../domain/webhook-changes.ts';
import { WebhookNotFound } from '../errors.ts';
import { callableUrl } from './callable-url.ts';
import type { WebhookCaller, WebhookStore } from './webhook-ports.ts';

/** What `updateWebhook` needs. */
export type UpdateWebhookDependencies = {
  readonly webhooks: Pick<WebhookStore, 'change'>;
  readonly caller: Pick<WebhookCaller, 'refusalOf'>;
  /** Asks for a run of the webhook. */
  readonly wake: (key: WebhookKey) => Promise<void>;
};

/**
 * Changes a webhook. If it was enabled or has a new address, its failures are forgotten and deliveries that waited go on. If the
 * queue does not take the message for that, the call fails, and a repetition sends it. Throws `WebhookNotFound`.
 */
export async function updateWebhook(
  { webhooks, caller, wake }: UpdateWebhookDependencies,
  key: WebhookKey,
  body: UpdateWebhook,
): Promise<WebhookRecord> {
  if (body.url !== undefined) callableUrl(caller, body.url);
  const changed = await webhooks.change(key, changesOf(body));
  if (!changed) throw new WebhookNotFound();
  if (changed.state === 'enabled' && startsAfresh(body)) await wake(key);
  return changed;
}
