import { createHash, randomUUID } from 'node:crypto';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { CreateWebhook, Replay, UpdateWebhook } from '#shared/contracts/webhooks/webhooks.ts';
import { IdempotencyKeyReused } from '#shared/runtime/errors.ts';
import type { WebhookRecord } from './webhook.ts';

/** For how long a repetition of a creation or rotation finds what the first one did: as long as idempotency keys are kept. */
const repeatedWithinMs = 24 * 3_600_000;
/** Between the hashes of a key and of a body, which do not contain it. */
const separator = '.';

/** A webhook that was just created. */
export function newWebhook(
  organizationId: OrganizationId,
  { url, types, description, signature }: CreateWebhook,
  { webhookId, creationId, now }: { readonly webhookId: string; readonly creationId: string; readonly now: Date },
): WebhookRecord {
  return {
    ...{ organizationId, webhookId, url, description, signature, creationId },
    ...(types && { types: [...new Set(types)] }),
    state: 'enabled',
    createdAt: now.toISOString(),
    secretVersion: 1,
  };
}

/**
 * The webhook that the same request created before, if it was a repetition of a request whose end was not stored. Throws
 * `IdempotencyKeyReused` if that request had another body.
 */
export function createdBefore(
  webhooks: readonly WebhookRecord[],
  creationId: string,
  now: Date,
): WebhookRecord | undefined {
  const [key] = creationId.split(separator);
  const found = webhooks.find(
    (webhook) => webhook.creationId?.split(separator)[0] === key && isRepeated(webhook.createdAt, now),
  );
  // Earlier versions stored the key alone.
  if (found?.creationId?.includes(separator) && found.creationId !== creationId) throw new IdempotencyKeyReused();
  return found;
}

/** True if the last rotation of a webhook's secret was by the same request, so that this one is a repetition. */
export function isRotatedBefore(
  { rotationId, rotatedAt = '' }: Pick<WebhookRecord, 'rotationId' | 'rotatedAt'>,
  requestId: string,
  now: Date,
): boolean {
  return rotationId === requestId && isRepeated(rotatedAt, now);
}

function isRepeated(firstAt: string, now: Date): boolean {
  return firstAt > new Date(now.getTime() - repeatedWithinMs).toISOString();
}

/** Identifies the request that creates a webhook, by its idempotency key and its body, of which only hashes are kept. */
export function creationIdOf(idempotencyKey: string | undefined, body: CreateWebhook): string {
  return [requestIdOf(idempotencyKey), hashOf(JSON.stringify(body))].join(separator);
}

/** Identifies a request by its idempotency key, of which only a hash is kept. A request without a key is like no other. */
export function requestIdOf(idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return randomUUID();
  return hashOf(idempotencyKey);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * No failures so far, and nothing that waits for the end of a parking. As after a parking, the first call is a single probe: a receiver that
 * did not ask for calls must not get ten at once.
 */
const freshStart = {
  failingSince: undefined,
  failuresInARow: undefined,
  parkings: 1,
  parkedUntil: undefined,
} as const;

/** So long after a change a run looks for deliveries: to make them, or to give up what waits at a disabled webhook. No message has to come for it. */
const lookAfterMs = 2 * 60_000;

/** The attributes that a change sets, and as undefined those that it removes. A new address and an enabled webhook start afresh. */
export function changesOf({ url, types, description, signature, state }: UpdateWebhook, now: Date) {
  const lookAt = new Date(now.getTime() + lookAfterMs).toISOString();
  const isFresh = startsAfresh({ url, state });
  return {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: types ? [...new Set(types)] : undefined }),
    ...(description !== undefined && { description }),
    ...(signature !== undefined && { signature }),
    ...(state !== undefined && { state, disabledBy: state === 'disabled' ? ('owner' as const) : undefined }),
    ...(isFresh && { ...freshStart, freshStartId: randomUUID() }),
    ...((isFresh || state === 'disabled') && { dueAt: lookAt, lookAgainAt: lookAt }),
  };
}

/** True for a change after which deliveries that waited must go on. */
export function startsAfresh({ url, state }: Pick<UpdateWebhook, 'url' | 'state'>): boolean {
  return url !== undefined || state === 'enabled';
}

/** What is replayed: one notice, by its key, or those of a period. */
export type ReplayScope = {
  readonly from: string;
  readonly to?: string | undefined;
  readonly noticeId?: string | undefined;
};

/**
 * A replay that begins. A period ends now at the latest: notices that are made from now on are delivered anyway. That of one notice is the
 * millisecond in which it was made.
 */
export function newReplay(
  { noticeId, from, to }: ReplayScope,
  { replayId, now }: { readonly replayId: string; readonly now: Date },
): Replay {
  const startedAt = now.toISOString();
  const until = to !== undefined && to < startedAt ? to : startedAt;
  const end = noticeId === undefined ? until : new Date(Date.parse(from) + 1).toISOString();
  return {
    ...{ replayId, state: 'running', from, to: end, noticeId: noticeId ?? null },
    ...{ startedAt, updatedAt: startedAt, planned: 0 },
  };
}
