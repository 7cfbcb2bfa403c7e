import type { Attempt, DeliveryFailureCode } from '#shared/contracts/webhooks/webhooks.ts';
import type { OrganizationNotice } from '../notices/notice.ts';
import { nextAttemptAfter } from './delivery-retries.ts';
import type { DeliveryRecord, WebhookConfig, WebhookKey } from './webhook.ts';

/** Joins the parts of the key of a notice, as in its table. */
const separator = '\0';

/** The key of a delivery within its webhook: that of its notice. */
export function deliveryKeyOf({ createdAt, noticeId }: Pick<DeliveryRecord, 'createdAt' | 'noticeId'>): string {
  return [createdAt, noticeId].join(separator);
}

/** A delivery of a notice that is due at once. `replayId` is that of the replay that plans it. */
export function plannedDelivery(
  { organizationId, webhookId }: WebhookKey,
  { id: noticeId, type, createdAt }: Pick<OrganizationNotice, 'id' | 'type' | 'createdAt'>,
  now: Date,
  replayId?: string,
): DeliveryRecord {
  const plannedAt = now.toISOString();
  return {
    ...{ organizationId, webhookId, noticeId, type, createdAt },
    ...{ state: 'waiting', attempts: 0, plannedAt, nextAttemptAt: plannedAt },
    ...(replayId !== undefined && { replayId }),
  };
}

/** True if the types of a webhook include that of a notice. */
export function wantsType(
  { types }: Pick<WebhookConfig, 'types'>,
  { type }: Pick<OrganizationNotice, 'type'>,
): boolean {
  return types === undefined || types.includes(type);
}

/** How far the clocks of two machines may differ: of the one that made the webhook, and of the one that made the notice. */
const clocksDifferMs = 5_000;

/** True if a notice is to be planned for a webhook when it is made: not before the webhook was, as far as clocks tell. */
export function wantsNotice(
  webhook: Pick<WebhookConfig, 'types' | 'state' | 'createdAt'>,
  notice: Pick<OrganizationNotice, 'type' | 'createdAt'>,
): boolean {
  const isSince = Date.parse(notice.createdAt) >= Date.parse(webhook.createdAt) - clocksDifferMs;
  return webhook.state === 'enabled' && isSince && wantsType(webhook, notice);
}

/** True if a delivery is to be made at this time. */
export function isDeliveryDue({ state, nextAttemptAt = '' }: DeliveryRecord, now: Date): boolean {
  return state === 'waiting' && nextAttemptAt <= now.toISOString();
}

/** What came of an attempt, and when. `random` is from 0 to 1. */
type Attempted = Attempt & {
  readonly retryAfterSeconds?: number | undefined;
  readonly now: Date;
  readonly random: number;
};

/** A delivery after an attempt: delivered, waiting for the next attempt, or failed if there is none. */
export function deliveryAfter(delivery: DeliveryRecord, attempted: Attempted): DeliveryRecord {
  const { succeeded, answerCode, latencyMs, failure, now, random, retryAfterSeconds } = attempted;
  const attempts = delivery.attempts + 1;
  const seen = {
    ...withoutAttempt(delivery),
    ...{ attempts, lastAttemptAt: now.toISOString() },
    ...(answerCode !== null && { answerCode }),
    ...(latencyMs !== null && { latencyMs }),
    ...(failure && { failureCode: failure.code }),
  };
  if (succeeded) return { ...seen, state: 'delivered' };
  const next = nextAttemptAfter({ ...delivery, attempts }, { now, random, retryAfterSeconds });
  return next ? { ...seen, state: 'waiting', nextAttemptAt: next.toISOString() } : { ...seen, state: 'failed' };
}

/** A delivery that is given up without an attempt. */
export function deliveryWithout(delivery: DeliveryRecord, failureCode: DeliveryFailureCode): DeliveryRecord {
  return { ...withoutAttempt(delivery), state: 'failed', failureCode };
}

function withoutAttempt(delivery: DeliveryRecord): DeliveryRecord {
  const { answerCode: _answer, latencyMs: _latency, failureCode: _failure, nextAttemptAt: _next, ...rest } = delivery;
  return rest;
}
