import * as z from 'zod/mini';
import { Timestamp } from '#shared/contracts/common/fields.ts';
import { MaybeText, perhaps, RequiredText } from '../payload-fields.ts';

const roomName = RequiredText;

/** What every webhook of Whereby has. */
export const Envelope = z.object({ type: z.string() });

/** A session of a room that starts or ends. Whereby does not list the id of the session, so it may be missing. */
export const SessionWebhook = z.object({
  createdAt: Timestamp,
  data: z.object({ roomName, roomSessionId: MaybeText }),
});

/** A client that joins or leaves. Whereby's own example has neither the id of the session nor that of the participant. */
export const ClientWebhook = z.object({
  createdAt: Timestamp,
  data: z.object({
    ...{ roomName, roomSessionId: MaybeText, participantId: MaybeText, displayName: MaybeText, roleName: MaybeText },
    ...{ externalId: MaybeText, numClients: perhaps(z.int().check(z.nonnegative('must not be negative'))) },
  }),
});
export type ClientWebhook = z.infer<typeof ClientWebhook>;
