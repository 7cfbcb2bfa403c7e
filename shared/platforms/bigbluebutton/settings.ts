import * as z from 'zod/mini';

/** How a connection reads BigBlueButton. docs/platforms/bigbluebutton.md explains the setting. */
export const BigbluebuttonSettings = z.strictObject({
  /** Takes the checksum of bbb-webhooks 3.0 to 3.3, which is the same for every webhook of the address. */
  weakChecksum: z.optional(z.enum(['true'], 'must be true')),
});
