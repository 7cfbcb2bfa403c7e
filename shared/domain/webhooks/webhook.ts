import { createHmac } from 'node:crypto';
import type { NoticeType } from '#shared/contracts/notices/notice-types.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Delivery, Replay, Webhook } from '#shared/contracts/webhooks/webhooks.ts';

/** Identifies a webhook. */
export type WebhookKey = { readonly organizationId: OrganizationId; readonly webhookId: string };

/** What the owner of a webhook has said about it. */
export type WebhookConfig = WebhookKey &
  Pick<Webhook, 'url' | 'description' | 'signature' | 'state' | 'createdAt'> & {
    /** Undefined: all types. */
    readonly types?: readonly NoticeType[] | undefined;
    readonly disabledBy?: 'owner' | 'service' | undefined;
    /** Counts the secrets from 1. The secret follows from it. */
    readonly secretVersion: number;
    /** Until when the secret before is used, too. */
    readonly previousSecretUntil?: string | undefined;
    /** The request that created it, and the last one that rotated its secret, and when. They tell a repetition from another request. */
    readonly creationId?: string | undefined;
    readonly rotationId?: string | undefined;
    readonly rotatedAt?: string | undefined;
  };

/** How deliveries to a webhook have gone, and who makes them. */
export type WebhookHealth = {
  /** The run that makes deliveries now, and until when no other one may. */
  readonly runId?: string | undefined;
  readonly runUntil?: string | undefined;
  /** Counts those who found a run under way. Whoever ends a run looks again if it has grown. */
  readonly wakes?: number | undefined;
  readonly failingSince?: string | undefined;
  readonly failuresInARow?: number | undefined;
  /** How often it was parked in a row, and until when. */
  readonly parkings?: number | undefined;
  readonly parkedUntil?: string | undefined;
  /** When the next run is due, if no message asks for one before. */
  readonly dueAt?: string | undefined;
  /** When a run looks for deliveries that the index did not show to the runs before. */
  readonly lookAgainAt?: string | undefined;
  /** Until then it counts as slow, after a slow call. */
  readonly slowUntil?: string | undefined;
  /** A slow webhook has no run until then. */
  readonly postponedUntil?: string | undefined;
  /** Differs after each change with which its owner makes it start afresh, so that a run that was under way does not count its failures. */
  readonly freshStartId?: string | undefined;
  /** The revision of the last notice about the webhook itself. */
  readonly noticeRevision?: number | undefined;
};

/**
 * A replay as it is stored. `after` is the key of the last notice that it has planned, and `before` that of the page before. The API shows
 * neither.
 */
export type StoredReplay = Replay & { readonly after?: string | undefined; readonly before?: string | undefined };

/** A webhook as it is stored. */
export type WebhookRecord = WebhookConfig & WebhookHealth & { readonly replay?: StoredReplay | undefined };

/** A delivery as it is stored: one notice for one webhook. */
export type DeliveryRecord = WebhookKey &
  Pick<Delivery, 'noticeId' | 'type' | 'createdAt' | 'state' | 'attempts'> & {
    /** When it was first planned, or planned again by a replay. It is tried for three days from then. */
    readonly plannedAt: string;
    readonly lastAttemptAt?: string | undefined;
    readonly answerCode?: number | undefined;
    readonly latencyMs?: number | undefined;
    readonly failureCode?: Delivery['failureCode'] | undefined;
    readonly nextAttemptAt?: string | undefined;
    /** The replay that has planned it again. */
    readonly replayId?: string | undefined;
  };

/**
 * A secret of a webhook, as Standard Webhooks write it. It is derived from the secret of the stage, so none is stored, and it is the same
 * whenever it is derived.
 */
export function webhookSecret(stageSecret: string, { organizationId, webhookId }: WebhookKey, version: number): string {
  const name = JSON.stringify(['webhook', organizationId, webhookId, version]);
  return `whsec_${createHmac('sha256', stageSecret).update(name).digest('base64')}`;
}

/** The secrets with which a webhook is signed at a time, the newest first. */
export function secretsOf(
  stageSecret: string,
  webhook: WebhookConfig,
  now: Date,
): readonly [newest: string, ...others: string[]] {
  const { secretVersion, previousSecretUntil } = webhook;
  const isPreviousUsed = secretVersion > 1 && (previousSecretUntil ?? '') > now.toISOString();
  const newest = webhookSecret(stageSecret, webhook, secretVersion);
  return isPreviousUsed ? [newest, webhookSecret(stageSecret, webhook, secretVersion - 1)] : [newest];
}

/** A webhook as the API shows it at a time. */
export function toWebhook(record: WebhookRecord, now: Date): Webhook {
  const { webhookId, url, types, description, signature, state, createdAt } = record;
  const { disabledBy = null, failingSince = null, parkedUntil, previousSecretUntil, replay } = record;
  const ifLater = (time: string | undefined) => (time !== undefined && time > now.toISOString() ? time : null);
  return {
    ...{ webhookId, url, types: types ? [...types] : null, description, signature, state },
    disabledBy: state === 'disabled' ? disabledBy : null,
    ...{ createdAt, failingSince },
    parkedUntil: ifLater(parkedUntil),
    previousSecretExpiresAt: ifLater(previousSecretUntil),
    replay: replay ? toReplay(replay) : null,
  };
}

function toReplay({ after: _after, before: _before, ...replay }: StoredReplay): Replay {
  return replay;
}

/** A delivery as the API shows it. */
export function toDelivery(record: DeliveryRecord): Delivery {
  const { noticeId, type, createdAt, state, attempts } = record;
  const { lastAttemptAt = null, answerCode = null, latencyMs = null, failureCode = null } = record;
  const nextAttemptAt = state === 'waiting' ? (record.nextAttemptAt ?? null) : null;
  return {
    ...{ noticeId, type, createdAt, state, attempts },
    ...{ lastAttemptAt, answerCode, latencyMs, failureCode, nextAttemptAt },
    replayed: record.replayId !== undefined,
  };
}
