import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limitReporter, type MachineSample, partsAtLimit, samplesInRow } from '#tools/local/limits/machine-limit.ts';
import { watchMachine } from '#tools/local/limits/watch-machine.ts';
import { serveInTest } from '../../support/http/test-server.ts';

const worker = { worker: 'record-room-events', running: 10, maxConcurrency: 10, waitedMs: 8000 };
const idle: MachineSample = { eventLoopMs: 11, dynamodbMs: 2, processors: 0.2, workers: [] };
const inRow = (sampleOf: (second: number) => Partial<MachineSample>, count = samplesInRow): MachineSample[] =>
  Array.from({ length: count }, (_, second) => ({ ...idle, ...sampleOf(second) }));
const growing = (second: number) => ({ workers: [{ ...worker, waitedMs: 8000 + second * 100 }] });

describe('the limit of the machine', () => {
  test('is a worker if all its invocations run and its queue grows', () => {
    expect(partsAtLimit(inRow(growing))).toEqual([
      'the queue of record-room-events grows, although 10 invocations run (a message waits 8.4 s)',
    ]);
  });

  test.each<[string, MachineSample[]]>([
    ['is idle', inRow(() => idle)],
    ['drains its queue', inRow((second) => ({ workers: [{ ...worker, waitedMs: 8000 - second * 100 }] }))],
    ['has a place free', inRow((second) => ({ workers: [{ ...worker, waitedMs: 8000 + second, running: 9 }] }))],
    ['is busy with young messages', inRow((second) => ({ workers: [{ ...worker, waitedMs: 900 + second }] }))],
    ['was busy for less than five seconds', inRow((second) => (second === 0 ? idle : growing(second)))],
    ['has been busy since its start', inRow(growing, samplesInRow - 1)],
    ['has busy processors, and does its work', inRow(() => ({ processors: 1 }))],
    ['was slow once', inRow((second) => (second === 2 ? { eventLoopMs: 900, dynamodbMs: 900 } : idle))],
  ])('is nothing if the machine %s', (_, samples) => {
    expect(partsAtLimit(samples)).toEqual([]);
  });

  test('is DynamoDB if it answers late or not at all', () => {
    expect(partsAtLimit(inRow(() => ({ dynamodbMs: 150 })))).toEqual([
      'the local DynamoDB is busy (0.1 s for one call)'.replace('0.1', (150 / 1000).toFixed(1)),
    ]);
    expect(partsAtLimit(inRow(() => ({ dynamodbMs: undefined })))).toEqual(['the local DynamoDB is busy (no answer)']);
  });

  test('is the event loop, and not what it makes look slow', () => {
    expect(partsAtLimit(inRow(() => ({ eventLoopMs: 400, dynamodbMs: 400 })))).toEqual([
      "the runner's own thread is busy (0.4 s late)",
    ]);
  });

  test('names the processors beside another part', () => {
    const parts = partsAtLimit(inRow((second) => ({ ...growing(second), processors: 0.99 })));
    expect(parts).toEqual([expect.stringContaining('record-room-events'), 'all processors of this machine are busy']);
  });

  test('is told once a minute while it lasts', () => {
    const told: string[] = [];
    let now = 0;
    const report = limitReporter(
      (text) => told.push(text),
      () => now,
    );
    for (; now < 130_000; now += 1000) report({ ...idle, ...growing(now / 1000) });
    expect(told).toHaveLength(3);
    expect(told[0]).toMatch(
      /^This machine is the limit: the queue of .*\. Nothing is lost\. A deployment on AWS has other limits\.$/,
    );
  });
});

describe('a sample of the machine', () => {
  /** Samples this process beside a DynamoDB that answers as `answer` resolves. */
  const sampled = async (answer: () => Promise<void>) => {
    const dynamodbUrl = await serveInTest(async (_request, response) => {
      await answer();
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{"TableNames":[]}');
    });
    const samples: MachineSample[] = [];
    const next = async () => {
      const { length } = samples;
      while (samples.length === length) await delay(20);
      return samples.at(-1);
    };
    onTestFinished(watchMachine({ dynamodbUrl, workerLoads: () => [worker], onSample: (each) => samples.push(each) }));
    return next;
  };

  test('has the load of workers and processors, and the time of a call to DynamoDB', async () => {
    const next = await sampled(async () => {});
    expect(await next()).toEqual({
      eventLoopMs: expect.any(Number),
      dynamodbMs: expect.any(Number),
      processors: expect.toSatisfy((share: number) => share >= 0 && share <= 1),
      workers: [worker],
    });
  });

  test('has no time of a call that is not answered', async () => {
    const next = await sampled(() => new Promise(() => {}));
    expect(await next()).toMatchObject({ dynamodbMs: undefined });
  });

  test('shows an event loop that does other work', async () => {
    const next = await sampled(async () => {});
    await next();
    const blocked = new Int32Array(new SharedArrayBuffer(4));
    const working = setInterval(() => Atomics.wait(blocked, 0, 0, 300), 1);
    onTestFinished(() => clearInterval(working));
    expect((await next())?.eventLoopMs).toBeGreaterThan(100);
  });
});
