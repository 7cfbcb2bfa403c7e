import type { WebhookKey } from '#shared/domain/webhooks/webhook.ts';
import { isRotatedBefore, requestIdOf } from '#shared/domain/webhooks/webhook-changes.ts';
import { WebhookNotFound } from '#shared/runtime/errors.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import type { WebhookStore } from './ports.ts';

/** What `rotateWebhookSecret` needs. Tests replace the clock and the pause. */
export type RotateDependencies = {
  readonly webhooks: Pick<WebhookStore, 'find' | 'rotate'>;
  readonly now?: () => Date;
  readonly pause?: Pause;
};

/** A secret by its version, from which it follows, and until when the one before is used. */
export type RotatedVersion = { readonly secretVersion: number; readonly previousSecretExpiresAt: string | null };

/**
 * Gives a webhook its next secret. The one before stays valid for a time, and one before that ends at once. A repetition with the
 * idempotency key of the last rotation changes nothing for a day. Throws `WebhookNotFound`.
 */
export async function rotateWebhookSecret(
  { webhooks, now = () => new Date(), pause }: RotateDependencies,
  key: WebhookKey,
  previousValidForSeconds: number,
  idempotencyKey?: string,
): Promise<RotatedVersion> {
  const rotationId = requestIdOf(idempotencyKey);
  const attempt = async () => {
    const webhook = await webhooks.find(key);
    if (!webhook) throw new WebhookNotFound();
    const { secretVersion, previousSecretUntil } = webhook;
    const at = now();
    if (isRotatedBefore(webhook, rotationId, at)) return answer(secretVersion, previousSecretUntil); // done, and its answer was lost
    const until = previousValidForSeconds > 0 ? endOf(at, previousValidForSeconds) : undefined;
    const rotation = {
      secretVersion: secretVersion + 1,
      previousSecretUntil: until,
      rotationId,
      rotatedAt: at.toISOString(),
    };
    return (await webhooks.rotate(webhook, rotation)) ? answer(rotation.secretVersion, until) : tryAgain;
  };
  return retry(attempt, {
    maxAttempts: 8,
    maxPauseMs: (failedAttempts) => Math.min(25 * 2 ** failedAttempts, 800),
    exhausted: 'Too many concurrent requests rotate this secret. Send the request again.',
    pause,
  });
}

function endOf(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1_000).toISOString();
}

function answer(secretVersion: number, until: string | undefined): RotatedVersion {
  return { secretVersion, previousSecretExpiresAt: until ?? null };
}
