import { DeleteObjectsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { retry, tryAgain } from '../../retry.ts';

/** The maximum number of keys in one DeleteObjects request. */
const maxKeysPerDelete = 1000;
const maxAttempts = 4;
const maxPauseMs = 200;

/** Removes at most 1000 objects, and retries those that S3 reports as failed. Keys without an object are ignored. */
export async function removeKeys(s3: Pick<S3Client, 'send'>, Bucket: string, keys: readonly string[]): Promise<void> {
  let left = keys;
  const removeRest = async () => {
    const Objects = left.map((Key) => ({ Key }));
    const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const failedKeys = new Set(Errors.map(({ Key }) => Key));
    left = left.filter((key) => failedKeys.has(key));
    return left.length > 0 ? tryAgain : undefined;
  };
  if (left.length === 0) return;
  await retry(removeRest, {
    maxAttempts,
    maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
    exhausted: 'Not every file could be deleted.',
  });
}

/** Removes every object whose key starts with the prefix, a page at a time. Returns how many objects it removed. */
export async function removeAllBelow(client: S3Client, Bucket: string, Prefix: string): Promise<number> {
  let removed = 0;
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client, pageSize: maxKeysPerDelete },
    { Bucket, Prefix },
  )) {
    const keys = Contents.flatMap(({ Key }) => Key ?? []);
    await removeKeys(client, Bucket, keys);
    removed += keys.length;
  }
  return removed;
}
