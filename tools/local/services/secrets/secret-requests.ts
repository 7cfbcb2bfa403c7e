import { randomUUID } from 'node:crypto';
import * as z from 'zod';

const largestValueBytes = 65_536;

const Name = z
  .string()
  .regex(
    /^[\w/+=.@-]{1,512}$/,
    'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  );
const SecretId = z.string().min(1).max(2048);
const Token = z
  .string()
  .min(32)
  .max(64)
  .default(() => randomUUID());
const Value = z
  .string()
  .min(1)
  .refine((value) => Buffer.byteLength(value) <= largestValueBytes, `must have at most ${largestValueBytes} bytes`);
const Tag = z.object({ Key: z.string().min(1).max(128), Value: z.string().max(256) });

/** The request of CreateSecret. */
export const CreateSecret = z.object({
  Name,
  SecretString: Value,
  ClientRequestToken: Token,
  Description: z.optional(z.string().max(2048)),
  KmsKeyId: z.optional(z.string().max(2048)),
  Tags: z.array(Tag).max(50).default([]),
});
/** The request of GetSecretValue. */
export const GetSecretValue = z.object({
  SecretId,
  VersionId: z.optional(z.string()),
  VersionStage: z.optional(z.string()),
});
/** The request of PutSecretValue. */
export const PutSecretValue = z.object({ SecretId, SecretString: Value, ClientRequestToken: Token });
/** The request of DescribeSecret. */
export const DescribeSecret = z.object({ SecretId });
/** The request of DeleteSecret. */
export const DeleteSecret = z.object({
  SecretId,
  ForceDeleteWithoutRecovery: z.optional(z.boolean()),
  RecoveryWindowInDays: z.optional(z.int().min(7).max(30)),
});
/** What secrets are listed by. */
export const filterKeys = ['name', 'tag-key', 'tag-value'] as const;
/** The request of ListSecrets. */
export const ListSecrets = z.object({
  Filters: z.array(z.object({ Key: z.enum(filterKeys), Values: z.array(z.string()).min(1).max(10) })).default([]),
  IncludePlannedDeletion: z.boolean().default(false),
  MaxResults: z.int().min(1).max(100).default(100),
  NextToken: z.optional(z.string()),
});
