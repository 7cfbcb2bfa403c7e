import { NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test, vi } from 'vitest';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { type Answer, answering, type Call } from '../../../support/client/fake-client.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const folder = `generated/acme/${uuid(1)}/`;

type DeleteInput = { readonly Delete: { readonly Objects: readonly { readonly Key: string }[] } };
const deletedKeys = ({ input }: Call) => (input as DeleteInput).Delete.Objects.map(({ Key }) => Key);

/** A bucket that lists and deletes at most a thousand keys per call, like S3. Keys with `isStuck` cannot be deleted. */
function bucketOf(keys: readonly string[], isStuck: (key: string, attempt: number) => boolean = () => false) {
  const left = new Set(keys);
  const attempts = new Map<string, number>();
  const answer: Answer = (call) => {
    if (call.name === 'ListObjectsV2Command') {
      const { Prefix = '', StartAfter = '', ContinuationToken = StartAfter } = call.input as Record<string, string>;
      const found = [...left].filter((key) => key.startsWith(Prefix) && key > ContinuationToken).sort();
      const page = found.slice(0, 1000);
      return {
        Contents: page.map((Key) => ({ Key })),
        ...(found.length > page.length && { IsTruncated: true, NextContinuationToken: page.at(-1) }),
      };
    }
    if (call.name !== 'DeleteObjectsCommand') return {};
    const stuck = deletedKeys(call).filter((key) => {
      attempts.set(key, (attempts.get(key) ?? 0) + 1);
      return isStuck(key, attempts.get(key) ?? 0);
    });
    for (const key of deletedKeys(call)) if (!stuck.includes(key)) left.delete(key);
    return stuck.length > 0 ? { Errors: stuck.map((Key) => ({ Key, Code: 'InternalError' })) } : {};
  };
  const { client, calls } = answering(new S3Client({ region: 'eu-west-1' }), answer);
  return { files: transcriptFiles(client, 'transcripts'), calls, left };
}

const deletes = (calls: readonly Call[]) => calls.filter(({ name }) => name === 'DeleteObjectsCommand');

describe('removeGenerated', () => {
  test('removes all files in the folder of the transcription and no others', async () => {
    const beside = [`generated/acme/${uuid(1)}`, `generated/acme/${uuid(1)}x/a`, `generated/acme/${uuid(2)}/a`, 'a'];
    const { files, left } = bucketOf([`${folder}a.md`, `${folder}transcribe-output.json`, ...beside]);
    await files.removeGenerated(owner);
    expect([...left]).toEqual(beside);
  });

  test('deletes nothing if the folder is empty', async () => {
    const { files, calls } = bucketOf([]);
    await files.removeGenerated(owner);
    expect(deletes(calls)).toEqual([]);
  });

  test.each([999, 1000, 1001, 2500])('deletes %d files in batches of at most a thousand', async (count) => {
    const { files, calls, left } = bucketOf(
      Array.from({ length: count }, (_, index) => `${folder}${String(index).padStart(5, '0')}`),
    );
    await files.removeGenerated(owner);
    expect(left.size).toBe(0);
    expect(Math.max(...deletes(calls).map((call) => deletedKeys(call).length))).toBeLessThanOrEqual(1000);
  });

  test('retries only the keys that failed', async () => {
    const keys = ['a', 'b', 'c'].map((name) => `${folder}${name}`);
    const { files, calls, left } = bucketOf(keys, (key, attempt) => key.endsWith('b') && attempt < 3);
    await files.removeGenerated(owner);
    expect(deletes(calls).map(deletedKeys)).toEqual([keys, [keys[1]], [keys[1]]]);
    expect(left.size).toBe(0);
  });

  test('throws if a key cannot be deleted, so that the row stays', async () => {
    const { files, calls, left } = bucketOf([`${folder}a`, `${folder}b`], (key) => key.endsWith('b'));
    await expect(files.removeGenerated(owner)).rejects.toThrow(ServiceUnavailable);
    expect([...left]).toEqual([`${folder}b`]);
    expect(deletes(calls)).toHaveLength(4);
  });
});

describe('removeAllOf', () => {
  test('removes everything in the two folders of the transcription, and no other file', async () => {
    const neighbours = [
      ...['generated', 'live'].flatMap((root) => [`${root}/acme/${uuid(2)}/a.md`, `${root}/other/${uuid(1)}/a.md`]),
      ...[`live/acme/${uuid(1)}`, `live/acme/${uuid(1)}.bak/a.md`, `a/live/acme/${uuid(1)}/a.md`],
    ];
    const live = ['a.vtt', 'b/c.md'].map((name) => `live/acme/${uuid(1)}/${name}`);
    const { files, calls, left } = bucketOf([`${folder}a.md`, ...live, ...neighbours]);
    await files.removeAllOf(owner);
    expect([...left]).toEqual(neighbours);
    expect(new Set(calls.map(({ input }) => input.Bucket))).toEqual(new Set(['transcripts']));
  });
});

describe('read', () => {
  const reading = (answer: Answer) => {
    const { client } = answering(new S3Client({ region: 'eu-west-1' }), answer);
    return transcriptFiles(client, 'transcripts').read('key', 10);
  };
  const body = (text: string, destroy = vi.fn()) => ({ transformToString: vi.fn(async () => text), destroy });

  test('returns the text of an object up to the size limit', async () => {
    expect(await reading(() => ({ ContentLength: 10, Body: body('0123456789') }))).toEqual({ text: '0123456789' });
    expect(await reading(() => ({ ContentLength: 0 }))).toEqual({ text: '' });
  });

  test.each([11, 2 ** 40, undefined])(
    'does not read an object of %s bytes and closes the connection',
    async (ContentLength) => {
      const Body = body('text');
      expect(await reading(() => ({ ContentLength, Body }))).toBe('too-large');
      expect(Body.transformToString).not.toHaveBeenCalled();
      expect(Body.destroy).toHaveBeenCalledOnce();
    },
  );

  test('returns "missing" for a missing object and throws other errors', async () => {
    const missing = new NoSuchKey({ $metadata: {}, message: '' });
    expect(await reading(() => Promise.reject(missing))).toBe('missing');
    const denied = Object.assign(new Error('x'), { name: 'AccessDenied' });
    await expect(reading(() => Promise.reject(denied))).rejects.toBe(denied);
  });
});

test('write stores the text with its content type', async () => {
  const { client, calls } = answering(new S3Client({ region: 'eu-west-1' }));
  await transcriptFiles(client, 'transcripts').write('key', { body: 'text', contentType: 'text/vtt' });
  expect(calls).toEqual([
    { name: 'PutObjectCommand', input: { Bucket: 'transcripts', Key: 'key', Body: 'text', ContentType: 'text/vtt' } },
  ]);
});
