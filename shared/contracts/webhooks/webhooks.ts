import * as z from 'zod/mini';
import { maxBytes, oneOf, pageOf, queryInteger, Timestamp, UtcTimestamp, Uuid, wellFormed } from '../common/fields.ts';
import { isLater } from '../common/query-rules.ts';
import { NoticeId, noticeTypes } from '../notices/notice-types.ts';
import { noticeIdPrefix, noticeVersion } from '../notices/notice-version.ts';

/** How a webhook is signed: always as Standard Webhooks say, and with `whereby` also as Whereby does. */
export const signatureSchemes = ['standard', 'whereby'] as const;

/** The address that is called. A function refuses what it must not call, with a reason. */
const WebhookUrl = z
  .string()
  .check(z.regex(/^https?:\/\//, 'must be an address that begins with https://'), wellFormed, ...maxBytes(2048));
const description = z.string().check(wellFormed, ...maxBytes(256));
const types = z
  .array(oneOf(noticeTypes))
  .check(z.minLength(1, 'must name at least one type, or be null for all'), z.maxLength(noticeTypes.length));

/** The states of a webhook. It is disabled by its owner, or by the service after days without a delivery. */
export const webhookStates = ['enabled', 'disabled'] as const;

/** Why a delivery failed. Codes are stable. */
export const deliveryFailureCodes = [
  'answer_not_2xx',
  'redirect',
  'timeout',
  'answer_too_large',
  'connection_failed',
  'tls_failed',
  'host_not_found',
  'address_not_public',
  'webhook_disabled',
  'notice_gone',
] as const;
/** A reason for which a delivery failed. */
export type DeliveryFailureCode = (typeof deliveryFailureCodes)[number];

/** A replay of notices to one webhook: how far it has come. */
export const Replay = z.object({
  replayId: Uuid,
  /** `failed`: it could not go on. What it has planned is delivered. Start it again. */
  state: z.enum(['running', 'finished', 'failed']),
  /** The period, of which `to` is not included. Of a single notice: the millisecond in which it was made. */
  from: UtcTimestamp,
  to: UtcTimestamp,
  noticeId: z.nullable(NoticeId),
  startedAt: UtcTimestamp,
  /** When it has last made progress. One that has made none for an hour can be replaced. */
  updatedAt: UtcTimestamp,
  /** How many notices it has planned to deliver so far. */
  planned: z.int(),
});
export type Replay = z.infer<typeof Replay>;

/** A webhook as the API shows it. Its secret is shown only when it is created or rotated. */
export const Webhook = z.object({
  webhookId: Uuid,
  url: z.string(),
  /** The types of notices that it gets. Null: all, also those that come with later versions. */
  types: z.nullable(z.array(oneOf(noticeTypes))),
  description: z.string(),
  signature: oneOf(signatureSchemes),
  state: oneOf(webhookStates),
  /** `service`: disabled after days without a delivery. Null while it is enabled. */
  disabledBy: z.nullable(z.enum(['owner', 'service'])),
  createdAt: UtcTimestamp,
  /** Since when no delivery has succeeded, although some were tried. Null if the last one did. */
  failingSince: z.nullable(UtcTimestamp),
  /** Deliveries wait until then, because the last ones failed. Null if none waits for that. */
  parkedUntil: z.nullable(UtcTimestamp),
  /** Until when webhooks are also signed with the secret before the last rotation. */
  previousSecretExpiresAt: z.nullable(UtcTimestamp),
  replay: z.nullable(Replay),
});
export type Webhook = z.infer<typeof Webhook>;

/** A secret of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export const WebhookSecret = z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{43}=$/));

/** A webhook that was just created, with its secret. */
export const CreatedWebhook = z.object({ ...Webhook.shape, secret: WebhookSecret });
export type CreatedWebhook = z.infer<typeof CreatedWebhook>;

/** Body of the creation of a webhook. Without `types`, or with null, it gets all notices. */
export const CreateWebhook = z.object({
  url: WebhookUrl,
  types: z.optional(z.nullable(types)),
  description: z._default(description, ''),
  signature: z._default(oneOf(signatureSchemes), 'standard'),
});
export type CreateWebhook = z.infer<typeof CreateWebhook>;

/** Body of a change of a webhook. What is left out stays. `types: null` is all. */
export const UpdateWebhook = z
  .object({
    url: z.optional(WebhookUrl),
    types: z.optional(z.nullable(types)),
    description: z.optional(description),
    signature: z.optional(oneOf(signatureSchemes)),
    state: z.optional(oneOf(webhookStates)),
  })
  .check(
    z.refine((changes) => Object.keys(changes).length > 0, {
      error: 'must change something',
      path: [],
    }),
  );
export type UpdateWebhook = z.infer<typeof UpdateWebhook>;

/** Path of a webhook. */
export const WebhookPath = z.strictObject({ webhookId: Uuid });

/** Query of the list of webhooks. */
export const ListWebhooks = z.strictObject({
  cursor: z.optional(z.string()),
  limit: z._default(queryInteger(1, 100), 50),
});
export type ListWebhooks = z.infer<typeof ListWebhooks>;

/** One page of webhooks, the oldest first. */
export const WebhookPage = pageOf(Webhook);

/** For how many seconds the secret before a rotation stays valid at most, and by default. */
export const previousSecretSeconds = { most: 7 * 24 * 3_600, usual: 24 * 3_600 } as const;

const secondsRange = `must be from 0 to ${previousSecretSeconds.most}`;

/** Body of a rotation. */
export const RotateWebhookSecret = z.object({
  /** For how long webhooks are also signed with the secret until now. 0: it ends at once. */
  previousValidForSeconds: z._default(
    z.int().check(z.minimum(0, secondsRange), z.maximum(previousSecretSeconds.most, secondsRange)),
    previousSecretSeconds.usual,
  ),
});
export type RotateWebhookSecret = z.infer<typeof RotateWebhookSecret>;

/** A new secret, and until when the one before is used beside it. */
export const RotatedSecret = z.object({
  secret: WebhookSecret,
  previousSecretExpiresAt: z.nullable(UtcTimestamp),
});
export type RotatedSecret = z.infer<typeof RotatedSecret>;

/** What came of one attempt to call a webhook. `latencyMs` is null if no connection was made. */
export const Attempt = z.object({
  succeeded: z.boolean(),
  answerCode: z.nullable(z.int()),
  latencyMs: z.nullable(z.int()),
  failure: z.nullable(z.object({ code: z.enum(deliveryFailureCodes), message: z.string() })),
});
export type Attempt = z.infer<typeof Attempt>;

/** What came of a test of a webhook, which is one attempt and is not repeated. */
export const WebhookTest = z.object({ webhookId: Uuid, testedAt: UtcTimestamp, ...Attempt.shape });
export type WebhookTest = z.infer<typeof WebhookTest>;

/** The states of a delivery: it is still tried, a receiver has answered 2xx, or it was given up and can be replayed. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;

/** One notice for one webhook, and what came of the last attempt. */
export const Delivery = z.object({
  noticeId: NoticeId,
  type: oneOf(noticeTypes),
  /** When the notice was made. */
  createdAt: UtcTimestamp,
  state: oneOf(deliveryStates),
  attempts: z.int(),
  lastAttemptAt: z.nullable(UtcTimestamp),
  answerCode: z.nullable(z.int()),
  latencyMs: z.nullable(z.int()),
  failureCode: z.nullable(z.enum(deliveryFailureCodes)),
  /** Null unless it waits. */
  nextAttemptAt: z.nullable(UtcTimestamp),
  replayed: z.boolean(),
});
export type Delivery = z.infer<typeof Delivery>;

/** Query of the deliveries of a webhook, the latest notice first. */
export const ListDeliveries = z.strictObject({
  cursor: z.optional(z.string()),
  limit: z._default(queryInteger(1, 100), 50),
});
export type ListDeliveries = z.infer<typeof ListDeliveries>;

/** One page of deliveries. */
export const DeliveryPage = pageOf(Delivery);

/**
 * Body of a replay: one notice, or a period of which `from` is included and `to` (default: now) is not. A notice is named by its id
 * and its time, as every notice, delivery and webhook has both.
 */
export const ReplayWebhook = z
  .object({
    noticeId: z.optional(NoticeId),
    createdAt: z.optional(Timestamp),
    from: z.optional(Timestamp),
    to: z.optional(Timestamp),
  })
  .check(
    isLater(['to'], ['from']),
    z.refine(
      ({ noticeId, createdAt, from, to }) => {
        const namesNotice = noticeId !== undefined && createdAt !== undefined;
        const namesPartOfNotice = noticeId !== undefined || createdAt !== undefined;
        return from === undefined ? namesNotice && to === undefined : !namesPartOfNotice;
      },
      { error: 'must have either noticeId and createdAt, or from and perhaps to', path: [] },
    ),
  );
export type ReplayWebhook = z.infer<typeof ReplayWebhook>;

/** How the ids of tests begin. No notice has such an id. */
export const testIdPrefix = `${noticeIdPrefix}test_`;

/** The type of the body of a test. */
export const testType = 'webhook.test';

/** The body of a test of a webhook. It is signed as a notice is, and it is none: it is not stored, listed or replayed. */
export const TestNotice = z.object({
  id: NoticeId,
  apiVersion: z.literal(noticeVersion),
  createdAt: UtcTimestamp,
  type: z.literal(testType),
  data: z.object({ webhookId: Uuid }),
});
export type TestNotice = z.infer<typeof TestNotice>;

/** How many tests of all its webhooks an organization can make in a minute, because each is a call from the service's own address. */
export const testsPerMinute = 30;
