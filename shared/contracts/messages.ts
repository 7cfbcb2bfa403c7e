import * as z from 'zod/mini';
import { UtcTimestamp, Uuid } from './common/fields.ts';
import { NoticeEvent } from './notices.ts';
import { OrganizationId } from './organization/organization.ts';
import { ConnectionId } from './platforms/connection.ts';

/** The API call that a message comes from. Messages of earlier versions of the service have none. */
const correlationId = z.optional(z.string());

/** The number of a part of a transcription, from 1. */
export const PartNumber = z.int().check(z.positive(), z.maximum(999_999));

/**
 * A request to start the job of a transcription, or of one of its parts. `attempt` counts how often Transcribe was too busy. Messages of
 * earlier versions name no part.
 */
export const TranscriptionJobMessage = z.object({
  organizationId: OrganizationId,
  transcriptionId: Uuid,
  correlationId,
  part: z.optional(PartNumber),
  attempt: z._default(z.int().check(z.nonnegative()), 0),
  denials: z.optional(z.int().check(z.nonnegative())),
});
export type TranscriptionJobMessage = z.infer<typeof TranscriptionJobMessage>;

/**
 * A request to prepare the media of a transcription: to plan its parts, and to write the files that Transcribe can read. `turnId` is the
 * turn that it goes on with.
 */
export const MediaPreparationMessage = z.object({
  organizationId: OrganizationId,
  transcriptionId: Uuid,
  correlationId,
  turnId: z.optional(Uuid),
});
export type MediaPreparationMessage = z.infer<typeof MediaPreparationMessage>;

/** A request to write the transcript of a work all of whose parts have ended. `workId` is the id of the transcription that began it. */
export const TranscriptionMergeMessage = z.object({ organizationId: OrganizationId, workId: Uuid });
export type TranscriptionMergeMessage = z.infer<typeof TranscriptionMergeMessage>;

/** Maximum number of ids in a message of a bulk delete. They take less than the 64 KB that SQS bills as one request. */
export const idsPerBulkDeleteMessage = 1_000;

/**
 * One part of a bulk delete, or what is left of it. `failedInARow` counts the ids that failed since the last one that did not, and
 * `failedAt` is when the last of them failed. Messages of earlier versions have only the ids.
 */
export const BulkDeleteMessage = z.object({
  organizationId: OrganizationId,
  transcriptionIds: z.array(Uuid).check(z.minLength(1), z.maxLength(idsPerBulkDeleteMessage)),
  correlationId,
  acceptedAt: z.optional(UtcTimestamp),
  part: z.optional(z.int().check(z.positive())),
  failedInARow: z._default(z.int().check(z.nonnegative()), 0),
  failedAt: z.optional(UtcTimestamp),
});
export type BulkDeleteMessage = z.infer<typeof BulkDeleteMessage>;

/**
 * A request to translate a stored webhook. `key` is that of its body in the transcripts bucket. `offset` is the number of events that earlier
 * messages have sent of it.
 */
export const HookMessage = z.object({
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  key: z.string(),
  offset: z.optional(z.int().check(z.nonnegative())),
});
export type HookMessage = z.infer<typeof HookMessage>;

/** A notice of an organization: to be put on the event bus, or to be planned for the webhooks that want it. */
export const NoticeMessage = NoticeEvent;
export type NoticeMessage = z.infer<typeof NoticeMessage>;

/** A request to deliver what is due to a webhook. `deliveryKey` names a delivery that was just planned: the index of due ones may lag. */
export const WebhookRunMessage = z.object({
  organizationId: OrganizationId,
  webhookId: Uuid,
  deliveryKey: z.optional(z.string()),
});
export type WebhookRunMessage = z.infer<typeof WebhookRunMessage>;

/**
 * A request to plan the next notices of a replay. `after` is the key of the last notice that it has planned, and `planned` says how many
 * deliveries that were.
 */
export const NoticeReplayMessage = z.object({
  organizationId: OrganizationId,
  webhookId: Uuid,
  replayId: Uuid,
  after: z.optional(z.string()),
  planned: z.optional(z.int()),
});
export type NoticeReplayMessage = z.infer<typeof NoticeReplayMessage>;

/** The fields that the service uses of EventBridge's "Transcribe Job State Change" event. The reconciler sends the same. */
export const TranscribeJobStateChange = z.object({
  detail: z.object({
    TranscriptionJobName: z.string(),
    TranscriptionJobStatus: z.enum(['COMPLETED', 'FAILED']),
    FailureReason: z.optional(z.string()),
  }),
});
export type TranscribeJobStateChange = z.infer<typeof TranscribeJobStateChange>;
