import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { startQueuesAndBuckets } from '#tools/local/services/queues-and-buckets.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';

async function newFolders() {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-aws-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { queueFolder: path.join(folder, 'sqs'), objectFolder: path.join(folder, 's3') };
}

/** The object that `killed-upload.ts` stored, as a new process finds it. */
async function storedObject(folders: Awaited<ReturnType<typeof newFolders>>) {
  const server = await startQueuesAndBuckets({ port: 0, ...folders });
  const s3 = new S3Client({ ...clientSettings(server.url), forcePathStyle: true });
  const { Body, Metadata, ContentLength } = await s3.send(new GetObjectCommand({ Bucket: 'mine', Key: 'a' }));
  const found = { text: await Body?.transformToString(), Metadata, ContentLength };
  s3.destroy();
  await server.stop();
  return found;
}

test('an object that is replaced is the old or the new one, wherever the process is killed', async () => {
  const wholeObject = (text: string) => ({ text, Metadata: { text }, ContentLength: text.length });
  const [old, replaced] = [wholeObject('old'), wholeObject('new and longer')];
  let killed = 0;
  for (;;) {
    const folders = await newFolders();
    const upload = ['test/support/killed-upload.ts', folders.queueFolder, folders.objectFolder, String(killed)];
    const [code] = await once(spawn(process.execPath, upload, { stdio: 'inherit' }), 'close');
    expect([old, replaced]).toContainEqual(await storedObject(folders));
    if (code === 0) break;
    killed += 1;
  }
  expect(killed).toBeGreaterThan(1);
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
