import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type RetryPolicy, runBatch } from '#tools/local/lambda/stream-batch.ts';
import { batchLength, type FunctionRecord, functionRecord } from '#tools/local/lambda/stream-event.ts';

const streamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/One/stream/local';
const defaults: RetryPolicy = {
  reportsBatchItemFailures: true,
  bisectsOnError: false,
  maxRetries: 1,
  maxAgeSeconds: -1,
};

const record = (number: number, ageSeconds = 0): FunctionRecord =>
  functionRecord(
    {
      eventName: 'INSERT',
      dynamodb: {
        SequenceNumber: String(number),
        ApproximateCreationDateTime: new Date(Date.now() - ageSeconds * 1000),
      },
    },
    streamArn,
  );
const numbersOf = (records: readonly FunctionRecord[]) =>
  records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));

/** Runs records with a function that fails as `answer` says: by throwing, or by naming records. */
async function run(
  records: readonly FunctionRecord[],
  answer: (numbers: number[]) => readonly number[] | 'throws' | string,
  policy: Partial<RetryPolicy> = {},
  signal = new AbortController().signal,
) {
  const [calls, discarded, done]: [number[][], unknown[], number[]] = [[], [], []];
  const hasSucceeded = await runBatch(records, {
    policy: { ...defaults, ...policy },
    invoke: async ({ Records }) => {
      const numbers = numbersOf(Records);
      calls.push(numbers);
      const answered = answer(numbers);
      if (answered === 'throws') return { ok: false, fault: { errorType: 'Error', errorMessage: 'no', trace: [] } };
      if (typeof answered === 'string') return { ok: true, payload: answered };
      const batchItemFailures = answered.map((number) => ({ itemIdentifier: String(number) }));
      return { ok: true, payload: JSON.stringify({ batchItemFailures }) };
    },
    onDone: async (last) => void done.push(...numbersOf([last])),
    onDiscarded: (lost, reason) => discarded.push([reason, ...numbersOf(lost)]),
    signal,
  });
  return { calls, discarded, done, hasSucceeded };
}

const three = [1, 2, 3].map((number) => record(number));
const failsOf = (bad: number) => (numbers: number[]) => (numbers.includes(bad) ? 'throws' : []);

describe('a batch of a stream', () => {
  it('is done as a whole if nothing fails', async () => {
    expect(await run(three, () => [])).toEqual({ calls: [[1, 2, 3]], discarded: [], done: [3], hasSucceeded: true });
  });

  it('is repeated from the first record that failed, in the order of the stream', async () => {
    let isFirst = true;
    const { calls, done, hasSucceeded } = await run(three, () => {
      const failed = isFirst ? [3, 2] : [];
      isFirst = false;
      return failed;
    });
    expect(calls).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
    expect(done).toEqual([1, 3]);
    expect(hasSucceeded).toBe(false);
  });

  it('fails as a whole if the answer names an unknown record', async () => {
    const { calls, done, discarded } = await run(three, () => [9]);
    expect(calls).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(discarded).toEqual([['retries', 1, 2, 3]]);
    expect(done).toEqual([3]);
  });

  it('counts as done if failures are not reported, whatever the answer says', async () => {
    const { calls, done } = await run(three, () => [1], { reportsBatchItemFailures: false });
    expect([calls, done]).toEqual([[[1, 2, 3]], [3]]);
  });

  it('is halved until the record that fails is alone, which counts as no retry, and then discarded', async () => {
    const { calls, discarded, done } = await run(three, failsOf(2), { bisectsOnError: true });
    expect(calls).toEqual([[1, 2, 3], [1, 2], [1], [2], [2], [3]]);
    expect(discarded).toEqual([['retries', 2]]);
    expect(done).toEqual([1, 2, 3]);
  });

  it('is split at the reported record, and goes on behind it when it is discarded', async () => {
    const four = [...three, record(4)];
    const reported = (numbers: number[]) => numbers.filter((number) => number === 2);
    const { calls, discarded, done } = await run(four, reported, { bisectsOnError: true });
    expect(calls).toEqual([[1, 2, 3, 4], [2, 3, 4], [2, 3], [2], [2], [3], [4]]);
    expect(discarded).toEqual([['retries', 2]]);
    expect(done).toEqual([1, 2, 3, 4]);
  });

  it('is retried as often as allowed', async () => {
    const { calls } = await run([record(1)], () => 'throws', { maxRetries: 2 });
    expect(calls).toHaveLength(3);
  });

  it('discards records that are too old before they are sent', async () => {
    const { calls, discarded, done } = await run([record(1, 120), record(2, 90), record(3)], () => [], {
      maxAgeSeconds: 60,
    });
    expect(discarded).toEqual([['age', 1, 2]]);
    expect(calls).toEqual([[3]]);
    expect(done).toEqual([2, 3]);
  });

  it('ends between two attempts when the runner stops, and nothing is done or discarded', async () => {
    const stop = new AbortController();
    const running = run([record(1)], () => 'throws', { maxRetries: -1 }, stop.signal);
    await delay(50);
    stop.abort();
    expect(await running).toMatchObject({ calls: [[1]], discarded: [], done: [] });
  });

  it('has no more records than Lambda accepts in one event, and at least one', () => {
    const large = (number: number, bytes: number) => ({ ...record(number), eventID: 'x'.repeat(bytes) });
    const records = [1, 2, 3, 4].map((number) => large(number, 2_000_000));
    expect(batchLength(records, 100)).toBe(3);
    expect(batchLength(records, 2)).toBe(2);
    expect(batchLength([large(1, 7_000_000)], 100)).toBe(1);
    expect(batchLength([], 100)).toBe(0);
  });
});

it('a record has the region, the time and the values in the form of AWS', () => {
  const dynamodb = {
    ApproximateCreationDateTime: '2026-11-26T20:02:48.000Z' as unknown as Date, // as Dynoxide writes it
    Keys: { id: { S: 'one' } },
    NewImage: {
      id: { S: 'one' },
      bytes: { B: new Uint8Array([1, 2]) },
      deep: { M: { list: { L: [{ BS: [new Uint8Array([3])] }, { N: '1' }, { NULL: true as const }] } } },
    },
    SequenceNumber: '1',
    SizeBytes: 63,
    StreamViewType: 'NEW_IMAGE' as const,
  };
  const event = { eventID: '1', eventName: 'INSERT' as const, eventVersion: '1.1', awsRegion: 'dynoxide', dynamodb };
  expect(functionRecord(event, streamArn)).toEqual({
    ...{ eventID: '1', eventName: 'INSERT', eventVersion: '1.1', eventSource: 'aws:dynamodb', awsRegion: 'us-east-1' },
    dynamodb: {
      ...dynamodb,
      ApproximateCreationDateTime: 1_795_723_368,
      NewImage: {
        id: { S: 'one' },
        bytes: { B: 'AQI=' },
        deep: { M: { list: { L: [{ BS: ['Aw=='] }, { N: '1' }, { NULL: true }] } } },
      },
    },
    eventSourceARN: streamArn,
  });
});
