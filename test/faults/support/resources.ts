import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import type { BucketName, QueueName, TableName } from '#shared/runtime/names.ts';
import { bucketNames, queueNames, tableNames } from '#shared/runtime/names.ts';
import { endpoints, sameSignature } from '../../support/machine.ts';
import { copyOfTable } from '../../support/storage/table-copies.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const maxReceiveCount = 5;

/** The tables, queues and buckets of one world, with clients that have no faults. */
export type WorldResources = {
  readonly tables: Readonly<Record<TableName, string>>;
  readonly queues: Readonly<Record<QueueName, string>>;
  readonly deadLetterQueues: Readonly<Record<QueueName, string>>;
  readonly buckets: Readonly<Record<BucketName, string>>;
  /** The server of both SQS and S3. */
  readonly url: string;
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  /** The number of messages in a queue of this URL, including invisible ones. It makes no request. */
  readonly countMessages: (queueUrl: string) => number;
  /** Removes all messages and objects. */
  readonly empty: () => void;
  readonly stop: () => Promise<void>;
};

/**
 * Creates tables with the keys and indexes of the local service under other names, and queues and buckets on a separate
 * server that stores nothing on disk.
 */
export async function createResources(): Promise<WorldResources> {
  const server = await startFauxqs({ port: 0, logger: false });
  const url = `http://127.0.0.1:${server.port}`;
  const settings = { region: endpoints.region, credentials, endpoint: url };
  const sqs = new SQSClient({ ...settings, signer: sameSignature });
  const s3 = new S3Client({ ...settings, signer: sameSignature });
  const suffix = randomUUID().slice(0, 8);
  const deadLetterQueues = await forEach(queueNames, (name) => createQueue(sqs, url, `${name}-dlq`));
  return {
    tables: await forEach(tableNames, (name) => copyOfTable(name, suffix)),
    deadLetterQueues,
    queues: await forEach(queueNames, async (name) =>
      createQueue(sqs, url, name, {
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: await queueArn(sqs, deadLetterQueues[name]),
          maxReceiveCount,
        }),
      }),
    ),
    buckets: await forEach(bucketNames, async (name) => {
      await s3.send(new CreateBucketCommand({ Bucket: name }));
      return name;
    }),
    url,
    sqs,
    s3,
    countMessages: (queueUrl) => {
      const queue = server.inspectQueue(path.basename(queueUrl));
      if (queue === undefined) throw new Error(`The server has no queue ${queueUrl}`);
      const { ready, delayed, inflight } = queue.messages;
      return ready.length + delayed.length + inflight.length;
    },
    empty: () => server.reset(),
    stop: () => server.stop(),
  };
}

async function createQueue(
  sqs: SQSClient,
  url: string,
  QueueName: string,
  Attributes: Record<string, string> = {},
): Promise<string> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  const { pathname } = new URL(String(QueueUrl));
  return new URL(pathname, url).href;
}

async function queueArn(sqs: SQSClient, QueueUrl: string): Promise<string> {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  return String(Attributes?.QueueArn);
}

async function forEach<Name extends string>(names: readonly Name[], make: (name: Name) => Promise<string>) {
  const entries = await Promise.all(names.map(async (name) => [name, await make(name)] as const));
  return Object.fromEntries(entries) as Record<Name, string>;
}
