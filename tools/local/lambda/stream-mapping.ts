import { setTimeout as delay } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ListStreamsCommand,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import { ShardReader } from './shard-reader.ts';
import { type BatchOptions, pause, type RetryPolicy, runBatch } from './stream-batch.ts';
import type { FunctionRecord } from './stream-event.ts';
import type { PositionFile, StreamPositions } from './stream-positions.ts';

/** A table, the function that its stream invokes, and its batches. */
export type StreamMappingOptions = RetryPolicy & {
  readonly streams: DynamoDBStreamsClient;
  readonly tableName: string;
  /** The ARN of the stream that the function sees. */
  readonly eventSourceArn: string;
  readonly functionName: string;
  readonly positions: PositionFile;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly isWanted: (record: FunctionRecord) => boolean;
  readonly invoke: BatchOptions['invoke'];
  /** Receives errors of polling, and which records were discarded. A function that fails is no such error. */
  readonly onFailure: (event: unknown) => void;
};

const findShardsMs = 10_000;
const afterErrorMs = 1000;

/**
 * Invokes a function with the records of a table's stream, as Lambda does: in the order of each shard, one batch of it at a time, children
 * after their parents. Lambda may run more batches of a shard at once, of different items; here it is always one.
 */
export class StreamMapping {
  readonly #options: StreamMappingOptions;
  readonly #stop = new AbortController();
  readonly #readers = new Map<string, { readonly reader: ShardReader; readonly end: Promise<void> }>();
  readonly #ended = new Set<string>();
  readonly #following: Promise<void>;
  #shardEnd = Promise.withResolvers<void>();
  /** What still runs then changes no position. */
  #isAbandoned = false;

  constructor(options: StreamMappingOptions) {
    this.#options = options;
    this.#following = this.#follow();
  }

  /** How many batches run of how many that can, and how long a record waits before its batch starts. */
  get load(): { readonly running: number; readonly maxConcurrency: number; readonly waitedMs: number } {
    const loads = [...this.#readers.values()].map(({ reader }) => reader.load);
    return {
      running: loads.filter(({ isRunning }) => isRunning).length,
      maxConcurrency: Math.max(1, loads.length),
      waitedMs: Math.max(0, ...loads.map(({ waitedMs }) => waitedMs)),
    };
  }

  /** Stops polling and waits at most `graceMs` for the running batches. The next start repeats the others. */
  async stop(graceMs: number): Promise<void> {
    this.#stop.abort();
    await this.#following;
    const ends = [...this.#readers.values()].map(({ end }) => end);
    await Promise.race([Promise.all(ends), delay(graceMs, undefined, { ref: false })]);
    this.#isAbandoned = true;
  }

  /** Looks for new shards from time to time, and at once when one ends: it may have children. */
  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#shardEnd = Promise.withResolvers();
      try {
        await this.#startReaders();
        await Promise.race([pause(findShardsMs, signal), this.#shardEnd.promise]);
      } catch (error) {
        if (!signal.aborted) this.#options.onFailure(error);
        await pause(afterErrorMs, signal);
      }
    }
  }

  async #startReaders(): Promise<void> {
    const { streams, tableName, functionName, positions } = this.#options;
    const streamArn = await newestStream(streams, tableName);
    const own = positions.of(`${functionName} ${streamArn}`);
    const shards = await shardsOf(streams, streamArn);
    const ids = shards.flatMap(({ ShardId }) => ShardId ?? []);
    await own.keepOnly(ids);
    for (const { ShardId: shardId, ParentShardId: parent } of shards) {
      if (shardId === undefined || this.#readers.has(shardId) || this.#ended.has(shardId)) continue;
      const isParentDone = parent === undefined || !ids.includes(parent) || this.#ended.has(parent);
      if (isParentDone && !this.#stop.signal.aborted) this.#startReader(streamArn, shardId, own);
    }
  }

  #startReader(streamArn: string, shardId: string, positions: StreamPositions): void {
    const { signal } = this.#stop;
    const run = (id: string, records: readonly FunctionRecord[]) => this.#run(id, records, positions);
    const reader = new ShardReader({ ...this.#options, streamArn, shardId, positions, run, signal });
    const end = reader.read().then(() => {
      if (signal.aborted) return;
      this.#readers.delete(shardId);
      this.#ended.add(shardId);
      this.#shardEnd.resolve();
    }, this.#options.onFailure);
    this.#readers.set(shardId, { reader, end });
  }

  #run(shardId: string, records: readonly FunctionRecord[], positions: StreamPositions): Promise<boolean> {
    const { invoke, onFailure, functionName } = this.#options;
    return runBatch(records, {
      policy: this.#options,
      invoke,
      onDone: async ({ dynamodb }) => {
        if (!this.#isAbandoned) await positions.set(shardId, dynamodb.SequenceNumber);
      },
      onDiscarded: (discarded, reason) =>
        onFailure({
          event: 'stream_records_discarded',
          ...{ functionName, shardId, reason, count: discarded.length },
          first: discarded[0]?.dynamodb.SequenceNumber,
          last: discarded.at(-1)?.dynamodb.SequenceNumber,
        }),
      signal: this.#stop.signal,
    });
  }
}

/** A table that was created again, or whose stream was turned off and on, also has older streams. Labels are times. */
async function newestStream(streams: DynamoDBStreamsClient, TableName: string): Promise<string> {
  const { Streams = [] } = await streams.send(new ListStreamsCommand({ TableName }));
  const [newest] = Streams.toSorted((one, other) => ((one.StreamLabel ?? '') > (other.StreamLabel ?? '') ? -1 : 1));
  if (newest?.StreamArn === undefined) throw new Error(`The table ${TableName} has no stream.`);
  return newest.StreamArn;
}

async function shardsOf(streams: DynamoDBStreamsClient, StreamArn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const { StreamDescription } = await streams.send(
      new DescribeStreamCommand({ StreamArn, ...(ExclusiveStartShardId !== undefined && { ExclusiveStartShardId }) }),
    );
    shards.push(...(StreamDescription?.Shards ?? []));
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId !== undefined);
  return shards;
}
