import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { startOnSmallDisk } from '../support/npm-start.ts';

const startMs = 150_000;
const partBytes = 5 * 1024 * 1024; // the least of a part

/** A service on a small disk, with a bucket and a queue of the test's own. `shell` runs a command beside it. */
async function serviceOnSmallDisk() {
  const root = await makeDataFolder('roomscribe-disk-');
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const dataDir = path.join(root, 'disk');
  await mkdir(dataDir);
  const service = startOnSmallDisk(dataDir, ['--port', '0', '--no-demo']);
  onTestFinished(() => void process.kill(-(service.process.pid ?? 0), 'SIGKILL'));
  const shell = (command: string) => service.process.stdin?.write(`${command}\n`);
  await service.says('Serving', startMs);
  const printed = (pattern: RegExp) => pattern.exec(service.output())?.[1] ?? '';
  const webhooks = async (init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${printed(/TOKEN=(\S+)/)}`, 'content-type': 'application/json' };
    const response = await fetch(`${printed(/API +(http\S+)/)}/v1/webhooks`, { headers, ...init });
    return {
      status: response.status,
      body: (await response.json()) as { readonly results: readonly { readonly url: string }[] },
    };
  };
  const create = (name: string) =>
    webhooks({
      method: 'POST',
      body: JSON.stringify({ url: `http://127.0.0.1:9/${name}` }),
    });
  const settings = { ...clientSettings(printed(/SQS, S3 +(http\S+)/)), maxAttempts: 1 };
  const [sqs, s3] = [new SQSClient(settings), new S3Client({ ...settings, forcePathStyle: true })];
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'mine' }));
  await s3.send(new CreateBucketCommand({ Bucket: 'mine' }));
  const send = (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  const object = { Bucket: 'mine', Key: 'a' };
  const put = (Body: string) => s3.send(new PutObjectCommand({ ...object, Body }));
  const textOf = async () => (await (await s3.send(new GetObjectCommand(object))).Body?.transformToString()) ?? '';
  return { service, dataDir, shell, webhooks, create, sqs, s3, QueueUrl, send, object, put, textOf };
}

/** An upload for which there is too little room changes nothing, and can be completed later. */
async function expectCompletedLater({
  service,
  dataDir,
  shell,
  s3,
  object,
  textOf,
}: Awaited<ReturnType<typeof serviceOnSmallDisk>>) {
  shell(
    `head -c $(($(df -B1 --output=avail ${dataDir} | tail -1) - 55000000)) /dev/zero > ${dataDir}/filler; echo Filled`,
  );
  await service.says('Filled');
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(object));
  const Parts = Array.from({ length: 6 }, (_, index) => ({ PartNumber: index + 1, ETag: '' }));
  for (const part of Parts) {
    const upload = new UploadPartCommand({
      ...object,
      UploadId,
      PartNumber: part.PartNumber,
      Body: Buffer.alloc(partBytes),
    });
    part.ETag = (await s3.send(upload)).ETag ?? '';
  }
  const complete = () =>
    s3.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
  await expect(complete()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
  expect(await textOf()).toBe('accepted');
  shell(`rm ${dataDir}/filler`);
  await eventually(complete);
  expect((await textOf()).length).toBe(6 * partBytes);
}

test('npm start goes on with a full disk, refuses new data, says so, and keeps what it has accepted', async () => {
  const machine = await serviceOnSmallDisk();
  const { service, dataDir, shell, webhooks, create, sqs, QueueUrl, send, put, textOf } = machine;
  await Promise.all([send('accepted'), put('accepted')]);
  expect(await create('accepted')).toMatchObject({ status: 201 });

  shell(`head -c 1G /dev/zero > ${dataDir}/filler`); // to the last byte
  await service.says('The disk is full: less than 16 MB are free.');
  for (let call = 0; call < 20; call += 1) await webhooks(); // each wants to log
  expect(await create('refused')).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  await expect(put('refused')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
  await expect(send('refused')).rejects.toMatchObject({ name: 'ServiceUnavailable' });

  shell(`rm ${dataDir}/filler`);
  await service.says('The disk has room again.');
  expect(await create('after')).toMatchObject({ status: 201 });
  const names = (await webhooks()).body.results.map(({ url }) => url.slice(url.lastIndexOf('/') + 1));
  expect(names.toSorted()).toEqual(['accepted', 'after']);
  expect(await textOf()).toBe('accepted');
  const { Messages } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MaxNumberOfMessages: 10 }),
  );
  expect(Messages).toEqual([expect.objectContaining({ Body: 'accepted' })]);
  expect(service.output().match(/disk is full/gi)).toHaveLength(1);
  await expectCompletedLater(machine);
}, 300_000);
