import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { recordingFiles } from '#shared/adapters/s3/recording-files.ts';
import { type Answer, answering } from '../../support/fake-client.ts';

const location = { bucket: 'recordings', key: 'daily/1 (a).wav' };

function fixture(answer: Answer) {
  const { client, calls } = answering(new S3Client({ region: 'eu-west-1' }), answer);
  return { files: recordingFiles(client), calls };
}

const failing = (httpStatusCode: number) => () => {
  throw new S3ServiceException({ name: 'Unknown', $fault: 'client', $metadata: { httpStatusCode } });
};

test.each([0, 1, 2 ** 40])('size returns %d bytes from the content length', async (ContentLength) => {
  const { files, calls } = fixture(() => ({ ContentLength }));
  expect(await files.size(location)).toBe(ContentLength);
  expect(calls).toEqual([{ name: 'HeadObjectCommand', input: { Bucket: location.bucket, Key: location.key } }]);
});

test.each([301, 307, 403, 404])('size returns "missing" if S3 answers %d', async (status) => {
  expect(await fixture(failing(status)).files.size(location)).toBe('missing');
});

test('size returns "unreadable" if S3 answers 400, as for an object with a key of its own', async () => {
  expect(await fixture(failing(400)).files.size(location)).toBe('unreadable');
});

test.each([408, 409, 429, 500, 503])('size throws if S3 answers %d, so that the caller retries', async (status) => {
  await expect(fixture(failing(status)).files.size(location)).rejects.toThrow(S3ServiceException);
});

test('size throws if the connection is lost, so that the caller retries', async () => {
  const lost = Object.assign(new Error('x'), { code: 'ECONNRESET' });
  const { files } = fixture(() => {
    throw lost;
  });
  await expect(files.size(location)).rejects.toBe(lost);
});
