import * as z from 'zod/mini';

/** How a connection reads Daily. docs/platforms/daily.md explains the setting. */
export const DailySettings = z.strictObject({
  /** The bucket of recordings, which no webhook of Daily names. */
  bucket: z.optional(
    z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of an S3 bucket')),
  ),
});
export type DailySettings = z.infer<typeof DailySettings>;
