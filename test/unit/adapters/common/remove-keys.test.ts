import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { listedKey } from '#shared/adapters/common/keys-in-xml.ts';
import { removeAllBelow, removeKeys } from '#shared/adapters/common/remove-keys.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { type Answer, answering } from '../../../support/client/fake-client.ts';
import { skipPauses } from '../../../support/client/no-pauses.ts';

skipPauses();

const removing = async (keys: readonly string[], answer?: Answer) => {
  const { client, calls } = answering(new S3Client({ region: 'eu-west-1' }), answer);
  await removeKeys(client, 'recordings', keys);
  return calls;
};

describe('removing keys', () => {
  test.each(['\u0000', '\u0001', '\u001f', '\u007f', '\u0085', '\r', '\n', '\t', '\u2028', '\ufffe', '\uffff'])(
    'removes a key with %j by a call of its own, because XML cannot carry it',
    async (character) => {
      const odd = `a/${character}`;
      expect(await removing(['a/1', odd, 'a/2'])).toEqual([
        { name: 'DeleteObjectCommand', input: { Bucket: 'recordings', Key: odd } },
        {
          name: 'DeleteObjectsCommand',
          input: { Bucket: 'recordings', Delete: { Objects: [{ Key: 'a/1' }, { Key: 'a/2' }], Quiet: true } },
        },
      ]);
    },
  );

  test.each(['a b', 'a+b', '%01', '<&>"\'', 'ü', '会議', '😀', '\ufffd'])(
    'removes %j together with others',
    async (key) => {
      expect((await removing([key])).map(({ name }) => name)).toEqual(['DeleteObjectsCommand']);
    },
  );

  test('throws an error whose cause is the code by which S3 refused', async () => {
    const refused = removing(['a', 'b'], () => ({ Errors: [{ Key: 'b', Code: 'AccessDenied' }] }));
    await expect(refused).rejects.toThrow(ServiceUnavailable);
    await expect(refused).rejects.toMatchObject({ cause: { name: 'AccessDenied' } });
  });
});

describe('removing a folder', () => {
  test('asks for encoded keys, and removes the keys that they stand for', async () => {
    const lists = [[{ Key: 'a/%01' }, { Key: 'a/b+c' }, { Key: 'a/%2B%25%C3%BC' }], []];
    const { client, calls } = answering(new S3Client({ region: 'eu-west-1' }), ({ name }) =>
      name === 'ListObjectsV2Command' ? { EncodingType: 'url', Contents: lists.shift() } : {},
    );
    await removeAllBelow(client, 'recordings', 'a/');
    expect(calls[0]?.input).toMatchObject({ Prefix: 'a/', EncodingType: 'url' });
    expect(calls.slice(1, -1).map(({ input }) => input)).toEqual([
      { Bucket: 'recordings', Key: 'a/\u0001' },
      { Bucket: 'recordings', Delete: { Objects: [{ Key: 'a/b c' }, { Key: 'a/+%ü' }], Quiet: true } },
    ]);
  });

  test('fails if a new list has objects again and again, instead of going on for ever', async () => {
    const { client } = answering(new S3Client({ region: 'eu-west-1' }), () => ({ Contents: [{ Key: 'a/1' }] }));
    await expect(removeAllBelow(client, 'recordings', 'a/')).rejects.toThrow(ServiceUnavailable);
  });

  test('takes keys as they are if the answer does not say that they are encoded', () => {
    expect(listedKey('a+%01', undefined)).toBe('a+%01');
  });
});
