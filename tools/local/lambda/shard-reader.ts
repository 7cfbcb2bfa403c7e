import {
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { pause } from './stream-batch.ts';
import { batchLength, type FunctionRecord, functionRecord, writtenAt } from './stream-event.ts';
import type { StreamPositions } from './stream-positions.ts';

/** A shard of a stream, and what takes its records. */
export type ShardReaderOptions = {
  readonly streams: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly shardId: string;
  /** The ARN of the stream that the function sees. */
  readonly eventSourceArn: string;
  readonly positions: StreamPositions;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  /** The records that are passed on. The others count as done. */
  readonly isWanted: (record: FunctionRecord) => boolean;
  /** Handles a batch, and stores the position of what is done. Tells whether nothing failed. */
  readonly run: (shardId: string, records: readonly FunctionRecord[]) => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
};

const idleMs = 150;
const afterErrorMs = 1000;
// The maximum of one request.
const largestRead = 1000;

/** Reads one shard to its end, in its order and one batch at a time. Begins after the stored position, or with the oldest record. */
export class ShardReader {
  readonly #options: ShardReaderOptions;
  /** Read and wanted, but not in a batch yet. */
  #pending: FunctionRecord[] = [];
  /** The last record that was read. */
  #lastRead: string | undefined;
  /** Undefined at the end of a closed shard. */
  #iterator: string | undefined;
  #batch: { readonly startedAt: number; readonly waitedMs: number; readonly isFull: boolean } | undefined;
  /** When nothing waited last, or when a batch last failed: what waited before waited for no place. */
  #countsFrom = Date.now();

  constructor(options: ShardReaderOptions) {
    this.#options = options;
  }

  /** Whether a batch runs, and how long its first record has waited. Behind a full batch, more records wait. */
  get load(): { readonly isRunning: boolean; readonly waitedMs: number } {
    if (!this.#batch) return { isRunning: false, waitedMs: 0 };
    const { startedAt, waitedMs, isFull } = this.#batch;
    return { isRunning: true, waitedMs: waitedMs + (isFull ? Date.now() - startedAt : 0) };
  }

  /** Returns at the end of a closed shard, and when the signal comes and no batch runs. */
  async read(): Promise<void> {
    const { signal, onFailure } = this.#options;
    let isAtEnd = false;
    while (!isAtEnd && !signal.aborted) {
      try {
        await this.#openShard();
        await this.#readToEnd();
        isAtEnd = true;
      } catch (error) {
        if (signal.aborted) return;
        onFailure(error);
        await pause(afterErrorMs, signal);
      }
    }
    await this.#keepPosition();
  }

  async #openShard(): Promise<void> {
    const { positions, shardId } = this.#options;
    this.#pending = [];
    this.#lastRead = positions.get(shardId);
    try {
      this.#iterator = await this.#iteratorAfter(this.#lastRead);
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      this.#iterator = await this.#iteratorAfter(undefined); // the stream has forgotten the record
    }
  }

  async #iteratorAfter(SequenceNumber: string | undefined): Promise<string | undefined> {
    const { streams, streamArn: StreamArn, shardId: ShardId } = this.#options;
    const position =
      SequenceNumber === undefined
        ? ({ ShardIteratorType: 'TRIM_HORIZON' } as const)
        : ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber } as const);
    return (await streams.send(new GetShardIteratorCommand({ StreamArn, ShardId, ...position }))).ShardIterator;
  }

  async #readToEnd(): Promise<void> {
    const { signal, batchSize } = this.#options;
    while (!signal.aborted && (this.#iterator !== undefined || this.#pending.length > 0)) {
      await this.#collect();
      const length = batchLength(this.#pending, batchSize);
      if (length > 0 && !signal.aborted) await this.#run(this.#pending.slice(0, length));
      if (signal.aborted) return; // the batch may have ended before its last record was done
      this.#pending.splice(0, length);
    }
  }

  /** Reads until a batch is full, the window that its first record began has ended, or the shard ends. */
  async #collect(): Promise<void> {
    const { signal, batchSize, batchingWindowSeconds } = this.#options;
    let windowEndsAt = Date.now() + batchingWindowSeconds * 1000;
    const isFull = () => {
      const length = batchLength(this.#pending, batchSize);
      return length >= batchSize || length < this.#pending.length;
    };
    while (!signal.aborted && this.#iterator !== undefined && !isFull()) {
      const wasEmpty = this.#pending.length === 0;
      const count = await this.#readMore(this.#iterator);
      if (this.#pending.length === 0) this.#countsFrom = Date.now();
      else if (wasEmpty) windowEndsAt = Date.now() + batchingWindowSeconds * 1000;
      const isOver = this.#pending.length > 0 && Date.now() >= windowEndsAt;
      if (isOver) return;
      if (count === 0) await pause(idleMs, signal);
    }
  }

  async #readMore(ShardIterator: string): Promise<number> {
    const { streams, eventSourceArn, isWanted } = this.#options;
    const { Records = [], NextShardIterator } = await streams.send(
      new GetRecordsCommand({ ShardIterator, Limit: largestRead }),
    );
    const records = Records.map((record) => functionRecord(record, eventSourceArn));
    this.#pending.push(...records.filter(isWanted));
    this.#lastRead = records.at(-1)?.dynamodb.SequenceNumber ?? this.#lastRead;
    this.#iterator = NextShardIterator;
    return records.length;
  }

  async #run(records: readonly FunctionRecord[]): Promise<void> {
    const { shardId, run, batchSize } = this.#options;
    const [startedAt, [first]] = [Date.now(), records];
    const waitedMs = first ? startedAt - Math.max(writtenAt(first), this.#countsFrom) : 0;
    this.#batch = { startedAt, waitedMs: Math.max(0, waitedMs), isFull: records.length >= batchSize };
    try {
      const hasSucceeded = await run(shardId, records);
      if (!hasSucceeded) this.#countsFrom = Date.now();
    } finally {
      this.#batch = undefined;
    }
  }

  /** Stores that unwanted records at the end are done, which is not worth a write for each. */
  async #keepPosition(): Promise<void> {
    const { positions, shardId } = this.#options;
    const isDone = this.#pending.length === 0 && this.#lastRead !== undefined;
    if (isDone && this.#lastRead !== positions.get(shardId)) await positions.set(shardId, this.#lastRead ?? '');
  }
}
