import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { eraseAllBelow } from '#operations/erasure/objects.ts';
import { removeAllBelow, removeKeys } from '#shared/adapters/common/remove-keys.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { endpoints, organization, s3 } from '../../support/machine.ts';

const bucket = endpoints.buckets.recordings ?? '';
const oddTexts = [
  '\u0001',
  '\u001f',
  '\u007f',
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '\ufffe',
  '<&>"',
  '%01',
  '+',
  ' ',
  '😀',
];

async function keep(keys: readonly string[]): Promise<void> {
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }));
}

/** Which of these objects still exist. */
async function leftOf(keys: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    keys.map((Key) =>
      s3.send(new GetObjectCommand({ Bucket: bucket, Key })).then(
        () => true,
        () => false,
      ),
    ),
  );
  return keys.filter((_, index) => found[index]);
}

it('removing keys removes those with any character, and no others', async () => {
  const folder = `${organization()}/`;
  const keys = oddTexts.map((text) => `${folder}a${text}b`);
  const spared = [`${folder}ab`, `${folder}a%20b`];
  await keep([...keys, ...spared]);

  await removeKeys(s3, bucket, keys);

  expect(await leftOf([...keys, ...spared])).toEqual(spared);
});

const removals = {
  'removing a folder': removeAllBelow,
  'erasing below a prefix': (client: S3Client, name: string, prefix: string) =>
    eraseAllBelow(client, name, prefix, async (keys) => keys),
};

it.each(Object.entries(removals))('%s also removes what is written meanwhile', async (_, remove) => {
  const folder = `${organization()}/`;
  const [late, ...early] = ['a', 'b', 'c'].map((name) => `${folder}${name}`);
  await keep(early);
  const client = new S3Client(clientSettings(endpoints.s3Url));
  let hasWritten = false;
  client.middlewareStack.add((next, { commandName }) => async (args) => {
    if (!hasWritten && commandName === 'DeleteObjectsCommand') await keep([late ?? '']);
    hasWritten ||= commandName === 'DeleteObjectsCommand';
    return next(args);
  });

  await remove(client, bucket, folder);

  expect(await leftOf([late ?? '', ...early])).toEqual([]);
});
