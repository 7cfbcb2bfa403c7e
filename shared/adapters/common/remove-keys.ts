import { DeleteObjectCommand, DeleteObjectsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';
import { fitsXml, listedKey } from './keys-in-xml.ts';

/** The maximum number of keys in one DeleteObjects request. */
const maxKeysPerDelete = 1000;
const maxAttempts = 4;
const maxPauseMs = 200;
const maxPasses = 5; // the second one finds nothing, unless something is written meanwhile

/**
 * Removes at most 1000 objects, and retries those that S3 reports as failed. Keys without an object are ignored. A key that
 * XML cannot carry is removed by a call of its own, which has the key in its address.
 */
export async function removeKeys(s3: Pick<S3Client, 'send'>, Bucket: string, keys: readonly string[]): Promise<void> {
  for (const Key of keys.filter((key) => !fitsXml(key))) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  let left = keys.filter(fitsXml);
  let refusal: string | undefined;
  const removeRest = async () => {
    const Objects = left.map((Key) => ({ Key }));
    const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const failedKeys = new Set(Errors.map(({ Key }) => Key));
    refusal = Errors[0]?.Code;
    left = left.filter((key) => failedKeys.has(key));
    return left.length > 0 ? tryAgain : undefined;
  };
  if (left.length === 0) return;
  await retry(removeRest, {
    maxAttempts,
    maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
    exhausted: 'Not every file could be deleted.',
    cause: () => Object.assign(new Error('S3 refused to delete an object.'), { name: refusal }),
  });
}

/** Removes every object whose key starts with the prefix, a page at a time, until a new list is empty. */
export async function removeAllBelow(s3: S3Client, bucket: string, prefix: string): Promise<void> {
  await untilNothingFound(() => removeListed(s3, bucket, prefix));
}

/** Repeats a removal, which returns how much it found, until it finds nothing. Throws if something is written again and again. */
export async function untilNothingFound(remove: () => Promise<number>): Promise<void> {
  for (let pass = 0; pass < maxPasses; pass += 1) if ((await remove()) === 0) return;
  throw new ServiceUnavailable('Files are written while they are removed.');
}

async function removeListed(client: S3Client, Bucket: string, Prefix: string): Promise<number> {
  let found = 0;
  const pages = paginateListObjectsV2({ client, pageSize: maxKeysPerDelete }, { Bucket, Prefix, EncodingType: 'url' });
  for await (const { Contents = [], EncodingType } of pages) {
    const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : listedKey(Key, EncodingType)));
    await removeKeys(client, Bucket, keys);
    found += keys.length;
  }
  return found;
}
