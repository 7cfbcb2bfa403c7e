import * as z from 'zod/mini';

/** The setting that names the bucket of a connection's recordings. Its webhooks may name the files of this bucket. */
export const BucketName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of an S3 bucket'));
