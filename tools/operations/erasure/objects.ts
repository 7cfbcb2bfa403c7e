import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { fitsXml, listedKey } from '../../../shared/adapters/s3/keys-in-xml.ts';
import { removeAllBelow, removeKeys } from '../../../shared/adapters/s3/remove-keys.ts';
import { UserError } from '../../shared/user-error.ts';

/** The most keys that S3 lists or deletes with one call. */
const maxKeysPerCall = 1000;

/**
 * Removes every object whose key starts with the prefix, with all its versions and delete markers. Returns how many keys it
 * removed.
 */
export async function eraseAllBelow(s3: S3Client, bucket: string, prefix: string): Promise<number> {
  const current = await removeAllBelow(s3, bucket, prefix);
  const withVersions = await removeVersions(s3, bucket, prefix);
  return Math.max(current, withVersions); // a bucket without versions lists none, and otherwise each removed key has one
}

/** Removes the objects with these keys, with all their versions and delete markers. */
export async function eraseKeys(s3: S3Client, bucket: string, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += maxKeysPerCall) {
    await removeKeys(s3, bucket, keys.slice(from, from + maxKeysPerCall));
  }
  for (const key of keys) await removeVersions(s3, bucket, key, (found) => found === key);
}

/** Counts the keys below a prefix that have an object, a version or a delete marker. */
export async function countBelow(s3: S3Client, Bucket: string, Prefix: string): Promise<number> {
  const keys = new Set<string>();
  const objects = paginateListObjectsV2({ client: s3 }, { Bucket, Prefix, EncodingType: 'url' });
  for await (const { Contents = [], EncodingType } of objects) {
    for (const { Key = '' } of Contents) keys.add(listedKey(Key, EncodingType));
  }
  for await (const versions of versionsBelow(s3, Bucket, Prefix)) for (const { Key } of versions) keys.add(Key);
  return keys.size;
}

/** Removes the versions and delete markers of the selected keys below a prefix. Returns the number of these keys. */
async function removeVersions(
  s3: S3Client,
  Bucket: string,
  Prefix: string,
  isSelected: (key: string) => boolean = () => true,
): Promise<number> {
  const keys = new Set<string>();
  for await (const versions of versionsBelow(s3, Bucket, Prefix)) {
    const found = versions.filter(({ Key }) => isSelected(Key));
    for (const { Key } of found) keys.add(Key);
    for (const version of found.filter(({ Key }) => !fitsXml(Key))) {
      await s3.send(new DeleteObjectCommand({ Bucket, ...version }));
    }
    const Objects = found.filter(({ Key }) => fitsXml(Key));
    if (Objects.length === 0) continue;
    const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    if (Errors.length > 0) throw new UserError('Not every version of a file could be deleted. Run the command again.');
  }
  return keys.size;
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
