import { fauxqsModule } from './fauxqs-module.ts';

// fauxqs 2.4.1 sorts keys like words of a language, and goes on after a key by code units: pages leave keys out.
// S3 does both by UTF-8 bytes (https://docs.aws.amazon.com/AmazonS3/latest/userguide/ListingKeysUsingAPIs.html).

/** The parts of an object of fauxqs that this module uses. */
type StoredObject = { readonly key: string };
type ListOptions = Partial<Readonly<Record<'prefix' | 'delimiter' | 'startAfter' | 'marker', string>>> & {
  readonly maxKeys?: number;
};
/** fauxqs makes the token of a page from its last object, or from its last common prefix if it has no object. */
type ListPage = { objects: StoredObject[]; commonPrefixes: string[]; isTruncated: boolean };
type Store = {
  readonly buckets: ReadonlyMap<string, ReadonlyMap<string, StoredObject>>;
  listObjects(bucket: string, options?: ListOptions): ListPage;
};

/** Makes the lists of fauxqs in this process those of S3. */
export async function installObjectLists(): Promise<void> {
  const { S3Store } = await fauxqsModule<{ readonly S3Store: { readonly prototype: Store } }>('s3/s3Store.js');
  const { listObjects } = S3Store.prototype;
  S3Store.prototype.listObjects = function (this: Store, bucket, options) {
    const objects = this.buckets.get(bucket);
    if (!objects) return listObjects.call(this, bucket, options); // its error
    return listPage([...objects.values()], options);
  };
}

/**
 * The objects and common prefixes after a position, in the order of their UTF-8 bytes. A page that is not the last one
 * ends with an object, or has common prefixes only, so that its token is its end. It can have fewer than `maxKeys`, as
 * S3's can.
 */
function listPage(
  objects: readonly StoredObject[],
  { prefix = '', delimiter = '', maxKeys = 1000, startAfter = '', marker = '' }: ListOptions = {},
): ListPage {
  const position = startAfter || marker;
  const start = Buffer.from(position);
  const found = objects
    .filter(({ key }) => key.startsWith(prefix))
    .map((object) => ({ object, bytes: Buffer.from(object.key) }))
    .filter(({ bytes }) => Buffer.compare(bytes, start) > 0)
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes));
  const entries = new Map<string, StoredObject | undefined>(); // undefined for a common prefix
  for (const { object } of found) {
    const end = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
    if (end === -1) entries.set(object.key, object);
    else entries.set(object.key.slice(0, end + delimiter.length), undefined);
  }
  entries.delete(position); // a common prefix of the page before
  const isTruncated = maxKeys > 0 && entries.size > maxKeys;
  const page = [...entries].slice(0, maxKeys);
  const lastObject = page.findLastIndex(([, object]) => object !== undefined);
  const kept = isTruncated && lastObject !== -1 ? page.slice(0, lastObject + 1) : page;
  return {
    objects: kept.flatMap(([, object]) => object ?? []),
    commonPrefixes: kept.flatMap(([name, object]) => (object === undefined ? name : [])),
    isTruncated,
  };
}
