import * as z from 'zod/mini';
import { BucketName } from '#shared/contracts/events.ts';
import { Roles } from './roles.ts';

/** How a connection reads Jitsi. docs/platforms/jitsi.md explains each setting. */
export const JitsiSettings = z.strictObject({
  roles: z.optional(Roles),
  /** The bucket to which the script at the end of a recording uploads. */
  bucket: z.optional(BucketName),
});
