import * as z from 'zod/mini';
import { Uuid } from './fields.ts';
import { OrganizationId } from './organization.ts';

/** Says which call of the API a message comes from; one of an earlier version of the service has none. */
const correlationId = z.optional(z.string());

/** "Start this transcription's job." `attempt` counts the times that Transcribe was too busy. */
export const TranscriptionJobMessage = z.object({
  organizationId: OrganizationId,
  transcriptionId: Uuid,
  correlationId,
  attempt: z._default(z.int().check(z.nonnegative()), 0),
});
export type TranscriptionJobMessage = z.infer<typeof TranscriptionJobMessage>;

/** How many ids one message of a bulk delete carries: one invocation has time for all of them. */
export const idsPerBulkDeleteMessage = 10;

/** "Delete these transcriptions." */
export const BulkDeleteMessage = z.object({
  organizationId: OrganizationId,
  transcriptionIds: z.array(Uuid).check(z.minLength(1), z.maxLength(idsPerBulkDeleteMessage)),
  correlationId,
});
export type BulkDeleteMessage = z.infer<typeof BulkDeleteMessage>;

/** The part of EventBridge's "Transcribe Job State Change" event that is needed; the reconciler sends the same. */
export const TranscribeJobStateChange = z.object({
  detail: z.object({
    TranscriptionJobName: z.string(),
    TranscriptionJobStatus: z.enum(['COMPLETED', 'FAILED']),
    FailureReason: z.optional(z.string()),
  }),
});
export type TranscribeJobStateChange = z.infer<typeof TranscribeJobStateChange>;
