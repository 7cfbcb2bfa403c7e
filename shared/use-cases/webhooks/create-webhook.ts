import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { CreateWebhook } from '#shared/contracts/webhooks/webhooks.ts';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { createdBefore, creationIdOf, newWebhook } from '#shared/domain/webhooks/webhook-changes.ts';
import { TooManyWebhooks } from '#shared/runtime/errors.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import { callableUrl, type UrlDependencies } from './callable-url.ts';
import type { WebhookCreation } from './ports.ts';

const maxAttempts = 12;
/** Creations of an organization exclude each other, so they compete. */
const maxPauseMs = (failedAttempts: number) => Math.min(25 * 2 ** failedAttempts, 1_000);

/** What `createWebhook` needs. Tests replace the clock and the pause. */
export type CreateWebhookDependencies = UrlDependencies & {
  readonly creation: WebhookCreation;
  readonly webhooksPerOrganization: number;
  readonly now?: () => Date;
  /** Makes ids that sort by their time, so that a list of webhooks begins with the oldest. */
  readonly newId: () => string;
  readonly pause?: Pause;
};

/**
 * Creates a webhook. A repetition with the same idempotency key returns the webhook that the first request created. Throws
 * `IdempotencyKeyReused` for another body with the key, `InvalidRequest` for an address that may not be called, and `TooManyWebhooks`
 * if the organization has as many as it may have.
 */
export async function createWebhook(
  { creation, webhooksPerOrganization, now = () => new Date(), newId, pause, ...urls }: CreateWebhookDependencies,
  organizationId: OrganizationId,
  body: CreateWebhook,
  idempotencyKey?: string,
): Promise<WebhookRecord> {
  callableUrl(urls, body.url);
  const creationId = creationIdOf(idempotencyKey, body);
  const attempt = async () => {
    const census = await creation.count(organizationId);
    const known = createdBefore(census.webhooks, creationId, now());
    if (known) return known; // created by an earlier attempt, whose answer was lost
    if (census.webhooks.length >= webhooksPerOrganization) throw new TooManyWebhooks(webhooksPerOrganization);
    const webhook = newWebhook(organizationId, body, { webhookId: newId(), creationId, now: now() });
    return (await creation.create(webhook, census)) ? webhook : tryAgain;
  };
  return retry(attempt, {
    maxAttempts,
    maxPauseMs,
    exhausted: 'Too many concurrent requests create webhooks. Send the request again.',
    pause,
  });
}
