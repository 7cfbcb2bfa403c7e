import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { elapsedMs, log, withLogContext } from '../runtime/logger.ts';

/** How a worker of a stream reads the new items. */
export type StreamWorkerOptions<Item> = {
  /** The worker's name in the logs. */
  readonly name: string;
  /** Reads an item. Throws if it has another shape. */
  readonly read: (item: unknown) => Item;
};

/**
 * Creates the Lambda handler of a table's stream. It passes the new items of a batch on together. `handle` returns those that failed, and
 * Lambda delivers the batch again from the first of them on; if it throws, all have failed. A record that cannot be read is logged and
 * left out, because it would hold up all that follow it: whatever it is about must come by another way.
 */
export function streamWorker<Item>(
  { name, read }: StreamWorkerOptions<Item>,
  handle: (items: readonly Item[]) => Promise<ReadonlySet<Item>>,
) {
  /** The new item of a record. Undefined if there is none, or if it cannot be read. */
  const itemOf = ({ eventID, eventName, dynamodb }: DynamoDBRecord): Item | undefined => {
    if (eventName !== 'INSERT') return undefined;
    try {
      return read(unmarshall((dynamodb?.NewImage ?? {}) as Parameters<typeof unmarshall>[0]));
    } catch (error) {
      log.error('stream record not readable', error, { eventId: eventID });
      return undefined;
    }
  };

  const failuresOf = async (items: ReadonlyMap<DynamoDBRecord, Item>): Promise<readonly DynamoDBRecord[]> => {
    try {
      const failed = await handle([...items.values()]);
      return [...items].filter(([, item]) => failed.has(item)).map(([record]) => record);
    } catch (error) {
      log.error('stream batch failed', error, { records: items.size });
      return [...items.keys()];
    }
  };

  return ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> =>
    withLogContext({ worker: name }, async () => {
      const items = new Map<DynamoDBRecord, Item>();
      for (const record of Records) {
        const item = itemOf(record);
        if (item !== undefined) items.set(record, item);
      }
      const failed = items.size > 0 ? await failuresOf(items) : [];
      log.info('stream batch done', { records: items.size, failed: failed.length, durationMs: elapsedMs() });
      const batchItemFailures = failed.map(({ dynamodb }) => ({ itemIdentifier: String(dynamodb?.SequenceNumber) }));
      return { batchItemFailures };
    });
}
