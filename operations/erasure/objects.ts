import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { fitsXml, listedKey } from '#shared/adapters/common/keys-in-xml.ts';
import { removeKeys, untilNothingFound } from '#shared/adapters/common/remove-keys.ts';
import { UserError } from '#tools/shared/user-error.ts';

/** The most keys that S3 lists or deletes with one call. */
const maxKeysPerCall = 1000;

/** Selects, of a page of keys, those that a removal may remove. */
export type KeySelection = (keys: readonly string[]) => Promise<readonly string[]>;

/**
 * Removes every selected object whose key starts with the prefix, with all its versions and delete markers, until new lists have
 * none. Returns how many keys it removed.
 */
export async function eraseAllBelow(
  s3: S3Client,
  bucket: string,
  prefix: string,
  select: KeySelection,
): Promise<number> {
  const removed = new Set<string>();
  await untilNothingFound(async () => {
    let found = 0;
    for await (const page of currentKeysBelow(s3, bucket, prefix)) {
      const keys = await select(page);
      await removeKeys(s3, bucket, keys);
      for (const key of keys) removed.add(key);
      found += keys.length;
    }
    const withVersions = await removeVersions(s3, bucket, prefix, select);
    for (const key of withVersions) removed.add(key); // a bucket without versions lists none
    return found + withVersions.size;
  });
  return removed.size;
}

/** Removes the objects with these keys, with all their versions and delete markers. */
export async function eraseKeys(s3: S3Client, bucket: string, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += maxKeysPerCall) {
    await removeKeys(s3, bucket, keys.slice(from, from + maxKeysPerCall));
  }
  for (const key of keys) await removeVersions(s3, bucket, key, async (found) => found.filter((each) => each === key));
}

/** Counts the selected keys below a prefix that have an object, a version or a delete marker. */
export async function countBelow(s3: S3Client, bucket: string, prefix: string, select: KeySelection): Promise<number> {
  const keys = new Set<string>();
  const count = async (page: readonly string[]) => {
    for (const key of await select(page)) keys.add(key);
  };
  for await (const page of currentKeysBelow(s3, bucket, prefix)) await count(page);
  for await (const versions of versionsBelow(s3, bucket, prefix)) await count(versions.map(({ Key }) => Key));
  return keys.size;
}

/** Removes the versions and delete markers of the selected keys below a prefix. Returns these keys. */
async function removeVersions(
  s3: S3Client,
  Bucket: string,
  Prefix: string,
  select: KeySelection,
): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const versions of versionsBelow(s3, Bucket, Prefix)) {
    const selected = new Set(await select(versions.map(({ Key }) => Key)));
    const found = versions.filter(({ Key }) => selected.has(Key));
    for (const key of selected) keys.add(key);
    for (const version of found.filter(({ Key }) => !fitsXml(Key))) {
      await s3.send(new DeleteObjectCommand({ Bucket, ...version }));
    }
    const Objects = found.filter(({ Key }) => fitsXml(Key));
    if (Objects.length === 0) continue;
    const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    if (Errors.length > 0) throw new UserError('Not every version of a file could be deleted. Run the command again.');
  }
  return keys;
}

/** Yields pages of the keys below a prefix that have a current object. */
async function* currentKeysBelow(client: S3Client, Bucket: string, Prefix: string) {
  const pages = paginateListObjectsV2({ client, pageSize: maxKeysPerCall }, { Bucket, Prefix, EncodingType: 'url' });
  for await (const { Contents = [], EncodingType } of pages) {
    yield Contents.flatMap(({ Key }) => (Key === undefined ? [] : listedKey(Key, EncodingType)));
  }
}

/** Yields pages of the versions and delete markers below a prefix. */
async function* versionsBelow(s3: S3Client, Bucket: string, Prefix: string) {
  let position: { readonly KeyMarker?: string | undefined; readonly VersionIdMarker?: string | undefined } = {};
  do {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix, EncodingType: 'url', ...position }));
    const keyOf = (listed: string | undefined) => listed && listedKey(listed, page.EncodingType);
    yield [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].flatMap(({ Key: listed, VersionId }) => {
      const Key = keyOf(listed);
      return Key === undefined ? [] : [{ Key, VersionId }];
    });
    position = { KeyMarker: keyOf(page.NextKeyMarker), VersionIdMarker: page.NextVersionIdMarker };
  } while (position.KeyMarker !== undefined);
}
