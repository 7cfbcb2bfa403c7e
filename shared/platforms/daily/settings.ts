import * as z from 'zod/mini';
import { BucketName } from '#shared/contracts/events.ts';

/** How a connection reads Daily. docs/platforms/daily.md explains the setting. */
export const DailySettings = z.strictObject({
  /** The bucket of recordings, which no webhook of Daily names. */
  bucket: z.optional(BucketName),
});
export type DailySettings = z.infer<typeof DailySettings>;
