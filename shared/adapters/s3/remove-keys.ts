import { setTimeout } from 'node:timers/promises';
import { DeleteObjectsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { ServiceUnavailable } from '../../errors.ts';

/** S3 takes at most 1000 keys in one DeleteObjects. */
const maxKeysPerDelete = 1000;
const maxAttempts = 4;
const maxPauseMs = 200;

/** Removes at most 1000 objects; those that S3 reports as failed again. A key without an object is as good as removed. */
export async function removeKeys(s3: Pick<S3Client, 'send'>, Bucket: string, keys: readonly string[]): Promise<void> {
  let left = keys;
  for (let attempt = 1; left.length > 0; attempt++) {
    if (attempt > maxAttempts) throw new ServiceUnavailable('Not every file could be deleted.');
    const Objects = left.map((Key) => ({ Key }));
    const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const failedKeys = new Set(Errors.map(({ Key }) => Key));
    left = left.filter((key) => failedKeys.has(key));
    if (left.length > 0) await setTimeout(Math.random() * maxPauseMs * attempt);
  }
}

/** Removes every object whose key begins so, a page at a time; tells how many there were. */
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
