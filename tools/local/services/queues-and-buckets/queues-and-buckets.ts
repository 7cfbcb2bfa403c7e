import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { host } from '#tools/local/ports.ts';
import type { Resource } from '#tools/local/template/stack.ts';
import { clientSettings, region } from '#tools/shared/client-settings.ts';
import { bucketCors } from './bucket-cors.ts';
import { refuseDownload, setResponseHeaders } from './download-rules.ts';
import { installFairQueues, keepGroups } from './fair-queues.ts';
import { answerFailure, refuseWrite } from './full-disk.ts';
import { installKeptMessages } from './kept-messages.ts';
import { installObjectLists } from './object-lists.ts';
import { installWholeFiles } from './whole-files.ts';

/** A running SQS and S3 on one port. */
export type QueuesAndBuckets = {
  readonly url: string;
  /** Creates the stack's buckets that do not exist, and takes the CORS rules of all of them. Pages of `ownOrigins` may fetch files, too. */
  readonly createBuckets: (
    buckets: readonly Resource<'AWS::S3::Bucket'>[],
    ownOrigins?: readonly string[],
  ) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** The port of SQS and S3, the folders of their state, and whether what would fill the disk is refused. */
export type QueuesAndBucketsOptions = {
  readonly port: number;
  readonly queueFolder: string;
  readonly objectFolder: string;
  readonly isDiskFull?: () => boolean;
};

/** fauxqs in this process is changed once. */
let changes: Promise<unknown> | undefined;

/** Starts fauxqs with its state on disk, and with what it lacks of SQS and S3. Only this machine can reach it. */
export async function startQueuesAndBuckets(options: QueuesAndBucketsOptions): Promise<QueuesAndBuckets> {
  changes ??= Promise.all([installKeptMessages(), installFairQueues(), installObjectLists(), installWholeFiles()]);
  await changes;
  const cors = bucketCors();
  const guard = guardWith(cors, options.isDiskFull ?? (() => false));
  subscribe(fastifyChannel, guard);
  try {
    const server = await startFauxqs({
      port: options.port,
      logger: false,
      defaultRegion: region,
      dataDir: options.queueFolder,
      s3StorageDir: options.objectFolder,
    });
    const url = `http://${host}:${server.port}`;
    return {
      url,
      createBuckets: async (buckets, ownOrigins) => {
        await createBuckets(url, buckets);
        cors.setRules(buckets, ownOrigins);
      },
      stop: () => server.stop(),
    };
  } finally {
    unsubscribe(fastifyChannel, guard);
  }
}

/** Fastify, the server of fauxqs, announces each instance on this channel before it listens. */
const fastifyChannel = 'fastify.initialization';

type Cors = ReturnType<typeof bucketCors>;
type Request = Parameters<typeof refuseDownload>[0] & {
  readonly headers: Parameters<Cors['addHeaders']>[0]['headers'] & Parameters<typeof refuseWrite>[0]['headers'];
  readonly raw: { readonly socket: Socket };
  readonly body?: unknown;
};
type Socket = { readonly remoteAddress?: string; readonly destroy: () => void };
type Reply = Parameters<typeof refuseDownload>[1] & Parameters<typeof refuseWrite>[1];
type Fastify = {
  addHook(name: 'onRequest' | 'preHandler', hook: (request: Request, reply: Reply, done: () => void) => void): void;
  addHook(name: 'onSend', hook: (request: Request, reply: Reply, payload: unknown, done: () => void) => void): void;
  setErrorHandler(handler: typeof answerFailure): void;
};

/** Closes connections from other machines, because fauxqs listens on every interface and checks no credentials. */
function guardWith(cors: Cors, isDiskFull: () => boolean) {
  return (message: unknown): void => {
    const { fastify } = message as { readonly fastify: Fastify };
    fastify.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw;
      if (!isLoopback(socket.remoteAddress ?? '')) socket.destroy();
      else if (cors.answerPreflight(request, reply) || refuseDownload(request, reply)) return;
      else if (!refuseWrite(request, reply, isDiskFull)) done();
    });
    fastify.setErrorHandler(answerFailure);
    fastify.addHook('preHandler', ({ body }, _reply, done) => {
      keepGroups(body);
      done();
    });
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      setResponseHeaders(request, reply);
      cors.addHeaders(request, reply);
      done();
    });
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** Creates the stack's queues that do not exist, and sets the attributes of all of them. */
export async function createQueues(url: string, queues: readonly Resource<'AWS::SQS::Queue'>[]): Promise<void> {
  const client = new SQSClient(clientSettings(url));
  try {
    await Promise.all(queues.map(({ name }) => client.send(new CreateQueueCommand({ QueueName: name }))));
    for (const { name, properties } of queues) {
      const Attributes = queueAttributes(properties);
      await client.send(new SetQueueAttributesCommand({ QueueUrl: `${url}/0/${name}`, Attributes }));
    }
  } finally {
    client.destroy();
  }
}

function queueAttributes(properties: Resource<'AWS::SQS::Queue'>['properties']): Record<string, string> {
  const { RedrivePolicy, DelaySeconds, MaximumMessageSize, MessageRetentionPeriod, VisibilityTimeout } = properties;
  return {
    DelaySeconds: String(DelaySeconds ?? 0),
    MaximumMessageSize: String(MaximumMessageSize ?? 1_048_576),
    MessageRetentionPeriod: String(MessageRetentionPeriod ?? 345_600),
    ReceiveMessageWaitTimeSeconds: String(properties.ReceiveMessageWaitTimeSeconds ?? 0),
    VisibilityTimeout: String(VisibilityTimeout ?? 30),
    RedrivePolicy: RedrivePolicy ? JSON.stringify(RedrivePolicy) : '', // none
  };
}

async function createBuckets(url: string, buckets: readonly Resource<'AWS::S3::Bucket'>[]): Promise<void> {
  const client = new S3Client(clientSettings(url));
  try {
    await Promise.all(buckets.map(({ name }) => createBucket(client, name)));
  } finally {
    client.destroy();
  }
}

async function createBucket(client: S3Client, Bucket: string): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotFound') throw error;
    await client.send(new CreateBucketCommand({ Bucket }));
  }
}
