import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { startQueuesAndBuckets } from '#tools/local/services/queues-and-buckets/queues-and-buckets.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';

async function newFolders() {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-aws-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { queueFolder: path.join(folder, 'sqs'), objectFolder: path.join(folder, 's3') };
}

/** What `killed-upload.ts` stored, as a new process finds it. */
async function stored(folders: Awaited<ReturnType<typeof newFolders>>) {
  const server = await startQueuesAndBuckets({ port: 0, ...folders });
  const s3 = new S3Client({ ...clientSettings(server.url), forcePathStyle: true });
  const Bucket = 'mine';
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  const objects: Record<string, unknown> = {};
  for (const { Key = '' } of Contents) {
    const { Body, Metadata, ContentLength } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    objects[Key] = { text: await Body?.transformToString(), Metadata, ContentLength };
  }
  s3.destroy();
  await server.stop();
  const uploads = await readdir(path.join(folders.objectFolder, '_multipart'), { recursive: true });
  return { ...objects, filesOfUpload: uploads.filter((name) => name.includes('.')).length };
}

test('what is replaced or deleted is whole or gone, wherever the process is killed', async () => {
  const whole = (text: string) => ({ text, Metadata: { text }, ContentLength: text.length });
  const b = whole('deleted');
  const states = [
    { a: whole('old'), b, filesOfUpload: 3 },
    { a: whole('new and longer'), b, filesOfUpload: 3 },
    { a: whole('new and longer'), filesOfUpload: 3 },
    { a: whole('new and longer'), filesOfUpload: 0 },
  ];
  let killed = 0;
  for (;;) {
    const folders = await newFolders();
    const upload = ['test/support/media/killed-upload.ts', folders.queueFolder, folders.objectFolder, String(killed)];
    const [code] = await once(spawn(process.execPath, upload, { stdio: 'inherit' }), 'close');
    expect(states).toContainEqual(await stored(folders));
    if (code === 0) break;
    killed += 1;
  }
  expect(killed).toBeGreaterThan(5);
});

test('while the disk is full, queues refuse messages and look empty, and then go on', async () => {
  let isFull = false;
  const server = await startQueuesAndBuckets({ port: 0, ...(await newFolders()), isDiskFull: () => isFull });
  onTestFinished(() => server.stop());
  const sqs = new SQSClient({ ...clientSettings(server.url), maxAttempts: 1 });
  onTestFinished(() => sqs.destroy());
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'mine' }));
  const send = (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  const receive = async () => (await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages ?? [];
  await send('accepted');

  isFull = true;
  await expect(send('refused')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
  expect(await receive()).toEqual([]);

  isFull = false;
  expect(await receive()).toEqual([expect.objectContaining({ Body: 'accepted' })]);
});
