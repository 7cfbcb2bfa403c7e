import * as z from 'zod/mini';
import { BucketName } from '#shared/contracts/events.ts';

const attribute = z.optional(z.string().check(z.minLength(1, 'must be the name of an attribute')));

/** How a connection reads LiveKit. docs/platforms/livekit.md explains each setting. */
export const LivekitSettings = z.strictObject({
  /** Whether an identity names a person, who then is the same in every session, or one connection. */
  identityIs: z.optional(z.enum(['user', 'connection'], 'must be user or connection')),
  /** The attributes of a participant with its device, role and external id. */
  deviceAttribute: attribute,
  roleAttribute: attribute,
  externalIdAttribute: attribute,
  agentsAre: z.optional(z.enum(['none', 'participant'], 'must be none or participant')),
  ingressIs: z.optional(z.enum(['streamer', 'participant'], 'must be streamer or participant')),
  /** The bucket of egress. Other files make no events, unless they are the organization's in the service's own bucket. */
  bucket: z.optional(BucketName),
});
export type LivekitSettings = z.infer<typeof LivekitSettings>;
