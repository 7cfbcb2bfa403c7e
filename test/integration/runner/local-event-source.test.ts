import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect as expectOutsideTests, it, type TestContext } from 'vitest';
import { EventSourceMapping } from '#tools/local/lambda/event-source-mapping.ts';
import {
  createQueues,
  type QueuesAndBuckets,
  startQueuesAndBuckets,
} from '#tools/local/services/queues-and-buckets/queues-and-buckets.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { eventually } from '../../support/eventually.ts';

let folder = '';
let server: QueuesAndBuckets;
let sqs: SQSClient;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-sqs-'));
  const folders = { queueFolder: path.join(folder, 'sqs'), objectFolder: path.join(folder, 's3') };
  server = await startQueuesAndBuckets({ port: 0, ...folders });
  sqs = new SQSClient(clientSettings(server.url));
});
afterAll(async () => {
  sqs.destroy();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

let queues = 0;
const arnOf = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const urlOf = (name: string) => `${server.url}/000000000000/${name}`;

/** A queue with a dead-letter queue, and a function that reads it. */
async function feed(
  { onTestFinished }: TestContext,
  handle: (bodies: string[], event: SQSEvent) => Promise<unknown>,
  { batchSize = 10, maxConcurrency = 2, batchingWindowSeconds = 0, visibilitySeconds = 1 } = {},
) {
  queues += 1;
  const [name, deadLetters] = [`queue-${queues}`, `queue-${queues}-dead`];
  const redrive = { deadLetterTargetArn: arnOf(deadLetters), maxReceiveCount: 2 };
  await createQueues(server.url, [
    { logicalId: deadLetters, name: deadLetters, properties: {} },
    { logicalId: name, name, properties: { VisibilityTimeout: visibilitySeconds, RedrivePolicy: redrive } },
  ]);
  const batches: string[][] = [];
  const send = (...bodies: string[]) =>
    sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: urlOf(name),
        Entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
      }),
    );
  const sendAs = async (MessageGroupId: string, ...bodies: string[]) => {
    for (const MessageBody of bodies)
      await sqs.send(new SendMessageCommand({ QueueUrl: urlOf(name), MessageBody, MessageGroupId }));
  };
  const start = () => {
    const source = new EventSourceMapping({
      sqs,
      queueUrl: urlOf(name),
      queueArn: arnOf(name),
      batchSize,
      batchingWindowSeconds,
      maxConcurrency,
      reportsBatchItemFailures: true,
      invoke: async (event) => {
        const { Records } = event as SQSEvent;
        const bodies = Records.map(({ body }) => body);
        batches.push(bodies);
        try {
          return { ok: true, payload: JSON.stringify((await handle(bodies, event as SQSEvent)) ?? null) };
        } catch {
          return { ok: false, fault: { errorType: 'Error', errorMessage: 'failed', trace: [] } };
        }
      },
      onFailure: (error) => expectOutsideTests.unreachable(String(error)),
    });
    onTestFinished(() => source.stop(1000));
    return source;
  };
  const deadMessages = async () => {
    const request = new ReceiveMessageCommand({
      QueueUrl: urlOf(deadLetters),
      VisibilityTimeout: 0,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All'],
    });
    return (await sqs.send(request)).Messages ?? [];
  };
  const receiveDead = async () => (await deadMessages()).map(({ Body }) => Body);
  const deadGroups = async () => (await deadMessages()).map(({ Attributes }) => Attributes?.MessageGroupId);
  return { name, batches, send, sendAs, start, receiveDead, deadGroups };
}

describe.concurrent('a queue that invokes a function', () => {
  it('sends batches in the format of Lambda', async (test) => {
    const { expect } = test;
    const events: SQSEvent[] = [];
    const { name, start } = await feed(test, async (_, event) => void events.push(event));
    const MessageAttributes = { trace: { DataType: 'String', StringValue: 'abc' } };
    await sqs.send(new SendMessageCommand({ QueueUrl: urlOf(name), MessageBody: 'hi', MessageAttributes }));
    start();

    await eventually(() => expect(events).toHaveLength(1));

    expect(events[0]).toEqual({
      Records: [
        {
          messageId: expect.any(String),
          receiptHandle: expect.any(String),
          body: 'hi',
          attributes: {
            ApproximateReceiveCount: '1',
            SentTimestamp: expect.stringMatching(/^\d{13}$/),
            SenderId: expect.any(String),
            ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          },
          messageAttributes: {
            trace: { stringValue: 'abc', stringListValues: [], binaryListValues: [], dataType: 'String' },
          },
          md5OfBody: '49f68a5c8493ec2c0bf489821c21fc3b',
          md5OfMessageAttributes: expect.any(String),
          eventSource: 'aws:sqs',
          eventSourceARN: arnOf(name),
          awsRegion: 'us-east-1',
        },
      ],
    });
  });

  it('retries only the failed messages and finally moves them to the dead-letter queue', async (test) => {
    const { expect } = test;
    const { batches, send, start, receiveDead } = await feed(test, async (bodies, { Records }) => ({
      batchItemFailures: Records.filter((_, index) => bodies[index] === 'bad').map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    }));
    await send('good', 'bad', 'fine');
    start();

    await eventually(async () => expect(await receiveDead()).toEqual(['bad']));

    expect(batches).toEqual([['good', 'bad', 'fine'], ['bad']]);
  });

  it('retries the whole batch if the function fails', async (test) => {
    const { expect } = test;
    const { batches, send, start, receiveDead } = await feed(test, async () => {
      throw new Error('no');
    });
    await send('one', 'two');
    start();

    await eventually(async () => expect((await receiveDead()).sort()).toEqual(['one', 'two']));

    const [first, ...later] = batches;
    expect(first?.toSorted()).toEqual(['one', 'two']);
    expect(later.flat().toSorted()).toEqual(['one', 'two']); // together or apart: SQS guarantees neither
  });

  it('serves a quiet message group before the backlog of a noisy one', async (test) => {
    const { expect } = test;
    const { batches, sendAs, start } = await feed(test, () => delay(20), {
      batchSize: 1,
      maxConcurrency: 2,
      visibilitySeconds: 30,
    });
    await sendAs('noisy', ...Array.from({ length: 40 }, (_, index) => `noisy ${index}`));
    start();
    await eventually(() => expect(batches.length).toBeGreaterThan(1));

    await sendAs('quiet', 'quiet');

    await eventually(() => expect(batches.flat()).toContain('quiet'));
    expect(batches.flat()).not.toContain('noisy 39');
    await eventually(() => expect(batches).toHaveLength(41));
  });

  it('passes the message group on, also to the dead-letter queue', async (test) => {
    const { expect } = test;
    const groups: unknown[] = [];
    const { sendAs, start, deadGroups } = await feed(test, async (_, { Records }) => {
      groups.push(...Records.map(({ attributes }) => attributes.MessageGroupId));
      throw new Error('no');
    });
    await sendAs('acme', 'one');
    start();

    await eventually(async () => expect(await deadGroups()).toEqual(['acme']));

    expect(groups).toEqual(['acme', 'acme']);
  });

  it('respects the maximum concurrency and the maximum batch size', async (test) => {
    const { expect } = test;
    let [running, most] = [0, 0];
    const { batches, send, start } = await feed(
      test,
      async () => {
        running += 1;
        most = Math.max(most, running);
        await eventually(() => expect(most).toBeGreaterThanOrEqual(3)); // so that a slow machine also runs three at once
        await delay(30);
        running -= 1;
      },
      { batchSize: 2, maxConcurrency: 3 },
    );
    await send(...Array.from({ length: 10 }, (_, index) => String(index)));
    await send(...Array.from({ length: 10 }, (_, index) => String(10 + index)));
    start();

    await eventually(() => expect(batches.flat()).toHaveLength(20));

    expect(most).toBe(3);
    expect(Math.max(...batches.map(({ length }) => length))).toBe(2);
  });

  it('waits to fill a batch if it has a batching window', async (test) => {
    const { expect } = test;
    const { batches, send, start } = await feed(test, async () => null, {
      batchSize: 2,
      batchingWindowSeconds: 300,
      visibilitySeconds: 30,
    });
    start();
    await send('one');
    await delay(200);
    await send('two');

    await eventually(() => expect(batches).toEqual([['one', 'two']]));
  });

  it('invokes with a part of a batch when the batching window ends', async (test) => {
    const { expect } = test;
    const { batches, send, start } = await feed(test, async () => null, {
      batchSize: 20,
      batchingWindowSeconds: 1,
      visibilitySeconds: 30,
    });
    start();
    await send('one');

    await eventually(() => expect(batches).toEqual([['one']]));
  });

  it('invokes at once with a batch that is full, of more messages than one request receives', async (test) => {
    const { expect } = test;
    const { batches, send, start } = await feed(test, async () => null, {
      batchSize: 25,
      batchingWindowSeconds: 300,
      visibilitySeconds: 30,
    });
    const bodies = Array.from({ length: 50 }, (_, index) => String(index));
    for (let from = 0; from < bodies.length; from += 10) await send(...bodies.slice(from, from + 10));
    start();

    await eventually(() => expect(batches.map(({ length }) => length)).toEqual([25, 25]));
    expect(batches.flat().toSorted()).toEqual(bodies.toSorted());
  });

  it('invokes at once with messages of 6 MB, and with the rest separately', async (test) => {
    const { expect } = test;
    const events: SQSEvent[] = [];
    const { batches, send, start } = await feed(test, async (_, event) => void events.push(event), {
      batchSize: 100,
      batchingWindowSeconds: 300,
      visibilitySeconds: 30,
    });
    for (let number = 0; number < 10; number++) await send(String(number).repeat(1_000_000));
    start();

    await eventually(() => expect(batches.flat()).toHaveLength(10));
    expect(batches.map(({ length }) => length)).toEqual([6, 4]);
    for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(6 * 2 ** 20);
  });

  it('tells how long a message waits while no place is free', async (test) => {
    const { expect } = test;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    test.onTestFinished(() => release());
    const { batches, send, start } = await feed(test, () => released, { batchSize: 1, maxConcurrency: 1 });
    await send('one', 'two');
    const source = start();
    await eventually(() => expect(source.load.running).toBe(1));

    const { waitedMs } = source.load;
    await eventually(() => expect(source.load.waitedMs).toBeGreaterThan(waitedMs));
    expect(source.load).toMatchObject({ running: 1, maxConcurrency: 1 });

    release();
    await eventually(() => expect(batches).toHaveLength(2));
    await eventually(() => expect(source.load).toEqual({ running: 0, maxConcurrency: 1, waitedMs: 0 }));
  });

  it('does not count the delay with which a message was sent as waiting', async (test) => {
    const { expect } = test;
    const waits: number[] = [];
    const { name, start } = await feed(test, async () => void waits.push(source.load.waitedMs), { maxConcurrency: 1 });
    const DelaySeconds = 4;
    await sqs.send(new SendMessageCommand({ QueueUrl: urlOf(name), MessageBody: 'later', DelaySeconds }));
    const source = start();

    await eventually(() => expect(waits).toHaveLength(1));
    expect(waits[0]).toBeLessThan(DelaySeconds * 1000);
  });

  it('stops while a batch runs on, and the next start receives its messages', async (test) => {
    const { expect } = test;
    const { promise: forEver, resolve: end } = Promise.withResolvers<void>();
    test.onTestFinished(() => end());
    const { batches, send, start } = await feed(test, () => forEver, {
      batchSize: 1,
      maxConcurrency: 1,
      visibilitySeconds: 600,
    });
    await send('one');
    const source = start();
    await eventually(() => expect(batches).toEqual([['one']]));

    await source.stop(50);
    start();

    await eventually(() => expect(batches).toEqual([['one'], ['one']]));
  });

  it('waits for running batches on stop, and receives no more', async (test) => {
    const { expect } = test;
    let finished = false;
    const { batches, send, start } = await feed(test, async () => {
      await delay(300);
      finished = true;
    });
    await send('one');
    const source = start();
    await eventually(() => expect(batches).toHaveLength(1));

    await source.stop(2000);
    await send('two');

    expect([finished, batches]).toEqual([true, [['one']]]);
  });
});
