import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { describe, expect, it, type TestContext } from 'vitest';
import { recordFilter } from '#tools/local/lambda/event-sources.ts';
import type { FunctionRecord } from '#tools/local/lambda/stream-event.ts';
import { StreamMapping, type StreamMappingOptions } from '#tools/local/lambda/stream-mapping.ts';
import { openPositions } from '#tools/local/lambda/stream-positions.ts';
import { eventually } from '../../support/eventually.ts';

const streamArn = 'arn:aws:dynamodb:ddblocal:000000000000:table/One/stream/2026';
const error = { message: 'no', $metadata: {} };

type FakeShard = { readonly parent?: string; records: number[]; isOpen?: boolean; trimmedTo?: number };

/** A stream of shards whose records are numbers. Iterators are `<shard> <number of the last record>`. */
function fakeStream(shards: Record<string, FakeShard>) {
  const failures: Error[] = [];
  const iterators: unknown[] = [];
  const answer = (command: { readonly input: unknown }): object => {
    if (command instanceof ListStreamsCommand)
      return {
        Streams: [
          { StreamArn: 'old', StreamLabel: '2025' },
          { StreamArn: streamArn, StreamLabel: '2026' },
        ],
      };
    if (command instanceof GetShardIteratorCommand) {
      const { ShardId = '', SequenceNumber } = command.input;
      iterators.push([ShardId, SequenceNumber]);
      if (Number(SequenceNumber) < (shards[ShardId]?.trimmedTo ?? 0)) throw new TrimmedDataAccessException(error);
      return { ShardIterator: `${ShardId} ${SequenceNumber ?? '0'}` };
    }
    if (command instanceof GetRecordsCommand) {
      const failure = failures.shift();
      if (failure) throw failure;
      const [id = '', after] = command.input.ShardIterator?.split(' ') ?? [];
      const { records = [], isOpen = false } = shards[id] ?? {};
      const found = records.filter((number) => number > Number(after)).slice(0, 3);
      const last = found.at(-1) ?? Number(after);
      const isEnd = !isOpen && last === (records.at(-1) ?? 0);
      return {
        Records: found.map((number) => ({
          eventName: number % 10 === 0 ? 'MODIFY' : 'INSERT',
          dynamodb: { SequenceNumber: String(number), ApproximateCreationDateTime: new Date() },
        })),
        NextShardIterator: isEnd ? undefined : `${id} ${last}`,
      };
    }
    return {
      StreamDescription: {
        Shards: Object.entries(shards).map(([ShardId, { parent }]) => ({ ShardId, ParentShardId: parent })),
      },
    };
  };
  const streams = { send: async (command: { readonly input: unknown }) => answer(command) };
  return { streams: streams as unknown as DynamoDBStreamsClient, failures, iterators };
}

async function map(
  { onTestFinished }: TestContext,
  shards: Record<string, FakeShard>,
  options: Partial<StreamMappingOptions> = {},
  handle: (numbers: number[]) => Promise<unknown> = async () => null,
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-stream-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'positions.json');
  const { streams, failures, iterators } = fakeStream(shards);
  const batches: number[][] = [];
  const logged: unknown[] = [];
  const start = async () => {
    const mapping = new StreamMapping({
      ...{ streams, tableName: 'One', eventSourceArn: 'the stream', functionName: 'reader', batchSize: 10 },
      ...{ batchingWindowSeconds: 0, reportsBatchItemFailures: true, bisectsOnError: false },
      ...{ maxRetries: 0, maxAgeSeconds: -1, isWanted: () => true },
      positions: await openPositions(file),
      invoke: async (event) => {
        const numbers = event.Records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
        batches.push(numbers);
        return { ok: true, payload: JSON.stringify((await handle(numbers)) ?? null) };
      },
      onFailure: (event) => logged.push(event),
      ...options,
    });
    onTestFinished(() => mapping.stop(1000));
    return mapping;
  };
  const stored = async () => JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
  return { file, start, batches, logged, failures, iterators, stored };
}

describe.concurrent('a stream that invokes a function', () => {
  it('reads children after their parents, and shards whose parent is gone at once', async (test) => {
    const { start, batches } = await map(test, {
      child: { parent: 'root', records: [3] },
      root: { parent: 'gone', records: [1, 2] },
      grandchild: { parent: 'child', records: [4], isOpen: true },
    });
    await start();
    await eventually(() => expect(batches.flat()).toEqual([1, 2, 3, 4]));
  });

  it('goes on behind the stored position, and forgets shards that are gone', async (test) => {
    const { start, batches, file, stored } = await map(test, { one: { records: [1, 2, 3], isOpen: true } });
    await writeFile(file, JSON.stringify({ [`reader ${streamArn}`]: { one: '2', gone: '7' }, other: { one: '1' } }));
    await start();
    await eventually(async () => expect((await stored())[`reader ${streamArn}`]).toEqual({ one: '3' }));
    test.expect(batches).toEqual([[3]]);
    test.expect((await stored()).other).toEqual({ one: '1' });
  });

  it('begins again with the oldest record if the stream has forgotten the stored one, or the file is cut short', async (test) => {
    const shard = { one: { records: [5, 6], isOpen: true, trimmedTo: 5 } };
    const forgotten = await map(test, shard);
    await writeFile(forgotten.file, JSON.stringify({ [`reader ${streamArn}`]: { one: '2' } }));
    await forgotten.start();
    await eventually(() => expect(forgotten.batches.flat()).toEqual([5, 6]));
    const cut = await map(test, shard);
    await writeFile(cut.file, '{"reader');
    await cut.start();
    await eventually(() => expect(cut.batches.flat()).toEqual([5, 6]));
  });

  it('takes a new iterator behind what is done if one has expired', async (test) => {
    const shard: FakeShard = { records: [1, 2], isOpen: true };
    const { start, batches, logged, failures, iterators } = await map(test, { one: shard });
    await start();
    await eventually(() => expect(batches.flat()).toEqual([1, 2]));
    failures.push(new ExpiredIteratorException(error));
    await eventually(() => expect(logged).toEqual([expect.any(ExpiredIteratorException)]));
    shard.records = [1, 2, 3];
    await eventually(() => expect(batches.flat()).toEqual([1, 2, 3]));
    test.expect(iterators).toEqual([
      ['one', undefined],
      ['one', '2'],
    ]);
  });

  it('passes on what its filter wants, in full batches, and stores at its stop that the rest is done', async (test) => {
    const isWanted = recordFilter([{ Pattern: '{"eventName":["INSERT"]}' }], 'reader');
    const shards = { one: { records: [1, 10, 11, 12, 20, 21, 30, 40], isOpen: true } };
    const { start, batches, stored } = await map(test, shards, { isWanted, batchSize: 2 });
    const mapping = await start();
    await eventually(() =>
      expect(batches).toEqual([
        [1, 11],
        [12, 21],
      ]),
    );
    await eventually(() => expect(mapping.load).toEqual({ running: 0, maxConcurrency: 1, waitedMs: 0 }));
    await new Promise((resolve) => setTimeout(resolve, 300)); // so that the last records are read, too
    await mapping.stop(1000);
    test.expect(await stored()).toEqual({ [`reader ${streamArn}`]: { one: '40' } });
  });

  it('waits to fill a batch for as long as its window', async (test) => {
    const shard: FakeShard = { records: [1], isOpen: true };
    const { start, batches } = await map(test, { one: shard }, { batchingWindowSeconds: 1, batchSize: 2 });
    await start();
    await new Promise((resolve) => setTimeout(resolve, 300));
    shard.records = [1, 2, 3];
    await eventually(() => expect(batches).toEqual([[1, 2], [3]]));
  });

  it('logs the records that have failed for the last time, and goes on', async (test) => {
    const { start, batches, logged } = await map(
      test,
      { one: { records: [1, 2, 3], isOpen: true } },
      { bisectsOnError: true },
      async (numbers) => ({
        batchItemFailures: numbers.filter((number) => number === 2).map((number) => ({ itemIdentifier: `${number}` })),
      }),
    );
    await start();
    await eventually(() => expect(batches.at(-1)).toEqual([3]));
    test.expect(logged).toEqual([
      {
        event: 'stream_records_discarded',
        ...{ functionName: 'reader', shardId: 'one', reason: 'retries', count: 1, first: '2', last: '2' },
      },
    ]);
  });

  it('repeats a batch that runs on when the runner stops, and lets it change no position', async (test) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { start, batches, stored } = await map(test, { one: { records: [1], isOpen: true } }, {}, () => released);
    const mapping = await start();
    await eventually(() => expect(batches).toEqual([[1]]));
    test.expect(mapping.load).toMatchObject({ running: 1, maxConcurrency: 1 });
    await mapping.stop(50);
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await test.expect(stored()).rejects.toThrow('ENOENT');
    await start();
    await eventually(() => expect(batches).toEqual([[1], [1]]));
  });

  it('waits for a running batch at its stop', async (test) => {
    const { start, batches, stored } = await map(test, { one: { records: [1], isOpen: true } }, {}, async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    const mapping = await start();
    await eventually(() => expect(batches).toHaveLength(1));
    await mapping.stop(5000);
    test.expect(await stored()).toEqual({ [`reader ${streamArn}`]: { one: '1' } });
  });
});

it('a filter with a matcher that the runner does not know is an error that names it', () => {
  const Pattern = '{"dynamodb":{"NewImage":{"n":{"N":[{"numeric":[">",1]}]}}}}';
  expect(() => recordFilter([{ Pattern }], 'reader')).toThrow(/The filter of reader uses the matcher.*numeric/);
});

it('without a filter every record is wanted; with several, one that matches is enough', () => {
  const record = { eventName: 'INSERT' } as FunctionRecord;
  const patterns = ['REMOVE', 'INSERT'].map((name) => ({ Pattern: JSON.stringify({ eventName: [name] }) }));
  expect(recordFilter(undefined, 'reader')(record)).toBe(true);
  expect(recordFilter(patterns, 'reader')(record)).toBe(true);
  expect(recordFilter(patterns.slice(0, 1), 'reader')(record)).toBe(false);
});
