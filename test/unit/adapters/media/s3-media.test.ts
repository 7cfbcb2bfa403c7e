import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { partBytes } from '#shared/adapters/media/media-target.ts';
import { pinObject, s3File } from '#shared/adapters/media/s3-file.ts';
import { s3Upload } from '#shared/adapters/media/s3-upload.ts';
import { type Answer, answering } from '../../../support/client/fake-client.ts';
import { numberedBytes } from '../../../support/media/media-files.ts';

const location = { bucket: 'recordings', key: 'a.mkv' };
const { signal } = new AbortController();
const s3 = (answer: Answer) => answering(new S3Client({ region: 'eu-west-1' }), answer);
const body = (bytes: Uint8Array) => ({ Body: { transformToByteArray: async () => bytes } });
const failing = (httpStatusCode: number) => () => {
  throw new S3ServiceException({ name: 'Unknown', $fault: 'client', $metadata: { httpStatusCode } });
};

describe('s3File', () => {
  const pinned = { ...location, bytes: 100, etag: '"e"' };

  test('reads a range of the pinned content, without the id of its version, which needs another permission', async () => {
    const { client, calls } = s3(() => body(new Uint8Array(10)));
    expect(await s3File(client, pinned).readRange(20, 30, signal)).toHaveLength(10);
    const input = { Bucket: 'recordings', Key: 'a.mkv', Range: 'bytes=20-29', IfMatch: '"e"' };
    expect(calls).toEqual([{ name: 'GetObjectCommand', input }]);
  });

  test.each([403, 404, 412])('reports a replaced object if S3 answers %d', async (status) => {
    const { client } = s3(failing(status));
    await expect(s3File(client, pinned).readRange(0, 1, signal)).rejects.toMatchObject({ code: 'replaced' });
  });

  test('reads a range again whose body breaks off, and gives up after three attempts', async () => {
    const broken = { Body: { transformToByteArray: () => Promise.reject(new Error('aborted')) } };
    const once = s3((_, index) => (index === 0 ? broken : body(new Uint8Array(10))));
    expect(await s3File(once.client, pinned).readRange(20, 30, signal)).toHaveLength(10);
    const always = s3(() => broken);
    await expect(s3File(always.client, pinned).readRange(20, 30, signal)).rejects.toThrow('broke off');
    expect(always.calls).toHaveLength(3);
  });

  test.each([500, 503])('rethrows what S3 may answer differently later: %d', async (status) => {
    const { client } = s3(failing(status));
    await expect(s3File(client, pinned).readRange(0, 1, signal)).rejects.toBeInstanceOf(S3ServiceException);
  });
});

describe('pinObject', () => {
  test('finds size and version', async () => {
    const { client } = s3(() => ({ ContentLength: 12_345, ETag: '"e"', VersionId: 'v1' }));
    expect(await pinObject(client, location, signal)).toEqual({ ...location, bytes: 12_345, etag: '"e"' });
  });

  test('tells what is missing from what has a key of its own, and rethrows what may pass', async () => {
    expect(await pinObject(s3(failing(404)).client, location, signal)).toBe('missing');
    expect(await pinObject(s3(failing(400)).client, location, signal)).toBe('unreadable');
    await expect(pinObject(s3(failing(503)).client, location, signal)).rejects.toBeInstanceOf(S3ServiceException);
  });
});

describe('s3Upload', () => {
  const uploaded = (failAt?: number) => {
    const parts = new Map<number, Uint8Array>();
    const { client, calls } = s3(({ name, input }) => {
      if (name === 'CreateMultipartUploadCommand') return { UploadId: 'u' };
      if (name !== 'UploadPartCommand') return {};
      const number = Number(input.PartNumber);
      if (number === failAt) throw new Error('The network is down.');
      parts.set(number, (input.Body as Uint8Array).slice());
      return { ETag: `"${number}"` };
    });
    return {
      client,
      calls,
      content: () => Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part)),
    };
  };

  test('writes parts as they fill up, and the first one last, because its header changes', async () => {
    const { client, calls, content } = uploaded();
    const target = s3Upload(client, location, signal);
    const data = numberedBytes(0, 2.5 * partBytes);
    for (let at = 0; at < data.byteLength; at += 3_000_000) await target.write(data.subarray(at, at + 3_000_000), at);
    await target.write(new Uint8Array([9, 9, 9]), 4);
    expect(await target.complete()).toBe(data.byteLength);
    data.set([9, 9, 9], 4);
    expect(content().equals(data)).toBe(true);
    expect(calls.map(({ input }) => input.PartNumber).filter(Boolean)).toEqual([2, 3, 1]);
    expect(calls.at(-1)).toMatchObject({ name: 'CompleteMultipartUploadCommand', input: { UploadId: 'u' } });
    const Parts = [1, 2, 3].map((PartNumber) => ({ PartNumber, ETag: `"${PartNumber}"` }));
    expect(calls.at(-1)?.input.MultipartUpload).toEqual({ Parts });
  });

  test('refuses to change a part that is sent', async () => {
    const target = s3Upload(uploaded().client, location, signal);
    await target.write(new Uint8Array(2 * partBytes), 0);
    await expect(target.write(new Uint8Array(10), partBytes - 5)).rejects.toThrow('front to back');
    await expect(target.write(new Uint8Array(10), 3 * partBytes)).rejects.toThrow('front to back');
  });

  test('rethrows a failed part, and an abort discards the upload', async () => {
    const { client, calls } = uploaded(2);
    const target = s3Upload(client, location, signal);
    await target.write(new Uint8Array(2 * partBytes), 0);
    await expect(target.complete()).rejects.toThrow('The network is down.');
    await target.abort();
    expect(calls.at(-1)).toMatchObject({ name: 'AbortMultipartUploadCommand', input: { UploadId: 'u' } });
  });

  test('an abort before anything is sent calls nothing', async () => {
    const { client, calls } = uploaded();
    await s3Upload(client, location, signal).abort();
    expect(calls).toEqual([]);
  });
});
