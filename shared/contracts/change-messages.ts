import * as z from 'zod/mini';
import { Uuid } from './common/fields.ts';
import { OrganizationId } from './organization/organization.ts';

/** The API call that a message comes from. */
const correlationId = z.optional(z.string());

/** A request to write the files of a transcript again, because its speakers may have changed. */
export const TranscriptChangeMessage = z.object({
  organizationId: OrganizationId,
  transcriptionId: Uuid,
  correlationId,
});
export type TranscriptChangeMessage = z.infer<typeof TranscriptChangeMessage>;

/** A request to measure again for how long people speak in a transcription, because it became ready or was deleted. */
export const TalkMessage = z.object({
  organizationId: OrganizationId,
  roomSessionId: z.string(),
  roomName: z.string(),
  transcriptionId: Uuid,
  correlationId,
});
export type TalkMessage = z.infer<typeof TalkMessage>;

/** A request to measure again for how long the participants of a session were heard. */
export const ActivityMessage = z.object({ organizationId: OrganizationId, roomSessionId: z.string() });
export type ActivityMessage = z.infer<typeof ActivityMessage>;

/** What the queue of changed transcripts has. The first one counts whose fields are all there. */
export const ChangeMessage = z.union([TalkMessage, TranscriptChangeMessage, ActivityMessage]);
export type ChangeMessage = z.infer<typeof ChangeMessage>;
