import { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { eraseAllBelow, eraseKeys, type KeySelection } from '#operations/erasure/objects.ts';
import { type Answer, answering } from '../../support/client/fake-client.ts';

type Version = { readonly Key: string; readonly VersionId: string; readonly isMarker?: boolean };
type Deletion = {
  readonly Delete: { readonly Objects: readonly { readonly Key: string; readonly VersionId?: string }[] };
};

const encoded = (key: string) => encodeURIComponent(key).replaceAll('%20', '+');

/**
 * A bucket that keeps versions, like S3: a deletion without a version id adds a delete marker, and lists are encoded. Lists two
 * items per page. DeleteObjects cannot carry a control character.
 */
function versionedBucket(...versions: Version[]) {
  let left: readonly Version[] = versions; // of each key, the last one is current
  const nameOf = ({ Key, VersionId }: Version) => `${Key} ${VersionId}`;
  const current = (Key: string) => left.findLast((version) => version.Key === Key);
  const answer: Answer = ({ name, input }) => {
    const prefix = String(input.Prefix ?? '');
    const below = left.filter(({ Key }) => Key.startsWith(prefix)).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    if (name === 'ListObjectsV2Command') {
      const keys = new Set(below.map(({ Key }) => Key));
      return {
        Contents: [...keys].filter((Key) => !current(Key)?.isMarker).map((Key) => ({ Key: encoded(Key) })),
        EncodingType: 'url',
      };
    }
    if (name === 'ListObjectVersionsCommand') {
      const after = `${input.KeyMarker ?? ''} ${input.VersionIdMarker ?? ''}`;
      const rest = below.filter((version) => nameOf(version) > after);
      const page = rest.slice(0, 2);
      const listed = (isMarkers: boolean) =>
        page
          .filter(({ isMarker = false }) => isMarker === isMarkers)
          .map((version) => ({ ...version, Key: encoded(version.Key) }));
      const last = rest.length > page.length ? page.at(-1) : undefined;
      return {
        EncodingType: 'url',
        Versions: listed(false),
        DeleteMarkers: listed(true),
        NextKeyMarker: last && encoded(last.Key),
        NextVersionIdMarker: last?.VersionId,
      };
    }
    const objects =
      name === 'DeleteObjectCommand'
        ? [input as { Key: string; VersionId?: string }]
        : (input as unknown as Deletion).Delete.Objects;
    if (name === 'DeleteObjectsCommand' && objects.some(({ Key }) => /\p{Cc}/u.test(Key)))
      throw new Error('MalformedXML');
    for (const { Key, VersionId } of objects) {
      left =
        VersionId === undefined
          ? [...left, { Key, VersionId: 'marker', isMarker: true }]
          : left.filter((version) => nameOf(version) !== `${Key} ${VersionId}`);
    }
    return {};
  };
  const { client } = answering(new S3Client({ region: 'eu-west-1' }), answer);
  return { s3: client, remaining: () => left.map(nameOf) };
}

const all: KeySelection = async (keys) => keys;
const a = (VersionId: string) => ({ Key: 'acme/a.wav', VersionId });

test('erasing below a prefix removes every version and every delete marker, and counts keys', async () => {
  const deleted = { Key: 'acme/deleted.wav', VersionId: '1' };
  const { s3, remaining } = versionedBucket(
    a('1'),
    a('2'),
    a('3'),
    deleted,
    { ...deleted, VersionId: '2', isMarker: true },
    {
      Key: 'other/a.wav',
      VersionId: '1',
    },
  );
  expect(await eraseAllBelow(s3, 'recordings', 'acme/', all)).toBe(2);
  expect(remaining()).toEqual(['other/a.wav 1']);
  expect(await eraseAllBelow(s3, 'recordings', 'acme/', all)).toBe(0);
});

test('erasing below a prefix removes and counts only the selected keys', async () => {
  const kept = [
    { Key: 'acme/b.wav', VersionId: '1' },
    { Key: 'acme/b.wav', VersionId: '2' },
  ];
  const { s3, remaining } = versionedBucket(a('1'), a('2'), ...kept);
  const select: KeySelection = async (keys) => keys.filter((key) => key === 'acme/a.wav');
  expect(await eraseAllBelow(s3, 'recordings', 'acme/', select)).toBe(1);
  expect(remaining()).toEqual(['acme/b.wav 1', 'acme/b.wav 2']);
});

test('erasing keys removes every version of them, and of no key that only begins like them', async () => {
  const { s3, remaining } = versionedBucket(a('1'), a('2'), { Key: 'acme/a.wav.bak', VersionId: '1' });
  await eraseKeys(s3, 'recordings', ['acme/a.wav']);
  expect(remaining()).toEqual(['acme/a.wav.bak 1']);
});

test('erasing removes the versions of keys with spaces, plus signs and control characters', async () => {
  const keys = ['acme/a b', 'acme/a+b', 'acme/a%20b', 'acme/\u0001', 'acme/ü'];
  const { s3, remaining } = versionedBucket(
    ...keys.flatMap((Key) => ['1', '2'].map((VersionId) => ({ Key, VersionId }))),
    a('1'),
  );
  await eraseKeys(s3, 'recordings', ['acme/\u0001', 'acme/a+b']);
  expect(remaining().some((name) => name.includes('\u0001') || name.includes('a+b'))).toBe(false);
  expect(await eraseAllBelow(s3, 'recordings', 'acme/', all)).toBe(4);
  expect(remaining()).toEqual([]);
});

test('a version that S3 does not delete is an error', async () => {
  const answer: Answer = ({ name }) =>
    name === 'DeleteObjectsCommand' ? { Errors: [{ Key: 'a', Code: 'AccessDenied' }] } : { Versions: [a('1')] };
  const { client } = answering(new S3Client({ region: 'eu-west-1' }), answer);
  await expect(eraseAllBelow(client, 'recordings', 'acme/', all)).rejects.toThrow('Run the command again');
});
