import * as z from 'zod/mini';
import { type NoticeType, noticeTypes } from '#shared/contracts/notices/notice-types.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import {
  deliveryFailureCodes,
  deliveryStates,
  Replay,
  signatureSchemes,
  webhookStates,
} from '#shared/contracts/webhooks/webhooks.ts';
import type { DeliveryRecord, WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { organizationPart } from '../common/keys.ts';

/** Key of a webhook. */
export function webhookKey({ organizationId, webhookId }: WebhookKey) {
  return { [attributeNames.organizationId]: organizationId, [attributeNames.webhookId]: webhookId };
}

/** Partition of the deliveries of a webhook. */
export function deliveriesOf({ organizationId, webhookId }: WebhookKey): string {
  return organizationPart(organizationId, webhookId);
}

/** Key of a delivery: that of its notice, within its webhook. */
export function deliveryKey(webhook: WebhookKey, noticeKey: string) {
  return { [attributeNames.organizationWebhook]: deliveriesOf(webhook), [attributeNames.deliveryKey]: noticeKey };
}

const noticeType = z.enum(noticeTypes);

const StoredReplay = z.object({
  ...Replay.shape,
  after: z.optional(z.string()),
  before: z.optional(z.string()),
});

const WebhookRow = z.object({
  organizationId: OrganizationId,
  webhookId: z.string(),
  url: z.string(),
  types: z.optional(z.array(z.string())),
  description: z.string(),
  signature: z.enum(signatureSchemes),
  state: z.enum(webhookStates),
  disabledBy: z.optional(z.enum(['owner', 'service'])),
  createdAt: z.string(),
  secretVersion: z.int(),
  previousSecretUntil: z.optional(z.string()),
  creationId: z.optional(z.string()),
  rotationId: z.optional(z.string()),
  rotatedAt: z.optional(z.string()),
  runId: z.optional(z.string()),
  runUntil: z.optional(z.string()),
  wakes: z.optional(z.int()),
  failingSince: z.optional(z.string()),
  failuresInARow: z.optional(z.int()),
  parkings: z.optional(z.int()),
  parkedUntil: z.optional(z.string()),
  dueAt: z.optional(z.string()),
  lookAgainAt: z.optional(z.string()),
  slowUntil: z.optional(z.string()),
  postponedUntil: z.optional(z.string()),
  freshStartId: z.optional(z.string()),
  noticeRevision: z.optional(z.int()),
  replay: z.optional(StoredReplay),
});

/**
 * A webhook from its item. Throws if the item has another shape, because that is a defect. Types of notices that this version does not know
 * are left out: a later version can have stored them before it was rolled back.
 */
export function toWebhookRecord(item: unknown): WebhookRecord {
  const { types, ...row } = WebhookRow.parse(item);
  return { ...row, ...(types && { types: types.filter(isNoticeType) }) };
}

/** True for an item whose type of notices this version knows. */
export function hasKnownType({ type }: Readonly<Record<string, unknown>>): boolean {
  return typeof type === 'string' && isNoticeType(type);
}

function isNoticeType(type: string): type is NoticeType {
  return noticeTypes.some((known) => known === type);
}

const DeliveryRow = z.object({
  organizationId: OrganizationId,
  webhookId: z.string(),
  noticeId: z.string(),
  type: noticeType,
  createdAt: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  plannedAt: z.string(),
  lastAttemptAt: z.optional(z.string()),
  answerCode: z.optional(z.int()),
  latencyMs: z.optional(z.int()),
  failureCode: z.optional(z.enum(deliveryFailureCodes)),
  nextAttemptAt: z.optional(z.string()),
  replayId: z.optional(z.string()),
});

/** A delivery from its item. Throws if the item has another shape, because that is a defect. */
export function toDeliveryRecord(item: unknown): DeliveryRecord {
  return DeliveryRow.parse(item);
}
