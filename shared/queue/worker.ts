import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { parse } from '../contracts/parse.ts';
import { ServiceUnavailable, UnreadableMessage } from '../errors.ts';
import { elapsedMs, type LogFacts, log, withLogContext } from '../logger.ts';
import { type Measured, recordMetrics } from '../metrics.ts';
import { hasTimeLeft, type Timed } from '../time-left.ts';

/**
 * A message that cannot be read runs through its five receives in seconds. Zero would do at AWS; the SQS of the
 * one-machine runner (fauxqs 2.4.1 with its state on disk) loses a message that is made visible at once.
 */
const unreadableBackoffSeconds = 1;
const firstBackoffSeconds = 4;
const backoffGrowth = 6;
const maxBackoffSeconds = 900;

/** The queue that feeds a worker. */
export type WorkerQueue = { readonly sqs: Pick<SQSClient, 'send'>; readonly url: string };

/** A worker's name, queue and message, and what its log says of one. */
export type WorkerOptions<Schema extends z.ZodMiniType> = {
  /** The worker's name in the logs. */
  readonly name: string;
  readonly schema: Schema;
  readonly queue: WorkerQueue;
  /** What every log line says of the message at hand. */
  readonly factsOf: (message: z.output<Schema>) => LogFacts;
  /** The metric of the time from a message's being sent to its being done, where that is of interest. */
  readonly lagMetric?: keyof Measured;
};

/**
 * A Lambda handler for one queue. `handle` returns: the message is done; it throws: the message comes again after a
 * growing, jittered pause, and after five times goes to the dead-letter queue. One that its schema refuses goes there
 * within seconds, and never holds up the rest of its batch.
 */
export function worker<Schema extends z.ZodMiniType>(
  options: WorkerOptions<Schema>,
  handle: (message: z.output<Schema>) => Promise<void>,
) {
  return groupWorker({ ...options, placeOf: () => undefined }, async (messages) => {
    for (const message of messages) await handle(message);
  });
}

/** Throws where too little time is left to begin another piece of work: the message comes again. */
export type AssertTimeLeft = () => void;

const untimed: Timed = { getRemainingTimeInMillis: () => Number.POSITIVE_INFINITY };

/** Where a message belongs within its batch. */
export type Place = {
  /** Messages of one group are handed over at once, and are done, or come again, together. */
  readonly group: string;
  /** Groups of one lane, which would get in each other's way, are handled one after the other. */
  readonly lane: string;
};

/**
 * The same for messages that are better handled together. A message without a place stands for itself. What there is no
 * time for comes again as if it had failed, instead of being cut off.
 */
export function groupWorker<Schema extends z.ZodMiniType>(
  {
    name,
    schema,
    queue,
    factsOf,
    lagMetric,
    placeOf,
  }: WorkerOptions<Schema> & { readonly placeOf: (message: z.output<Schema>) => Place | undefined },
  handle: (messages: readonly z.output<Schema>[], assertTimeLeft: AssertTimeLeft) => Promise<void>,
) {
  type Delivery = Place & { readonly record: SQSRecord; readonly message: z.output<Schema> };

  /** Those of the records that failed. */
  const run = (group: readonly Delivery[], assertTimeLeft: AssertTimeLeft): Promise<SQSRecord[]> => {
    const known = ({ record, message }: Delivery) => ({ messageId: record.messageId, ...factsOf(message) });
    const outcomeOf = (delivery: Delivery) => ({ ...known(delivery), durationMs: elapsedMs() });
    return withLogContext(commonFacts(group.map(known)), async () => {
      try {
        assertTimeLeft();
        const messages = group.map(({ message }) => message);
        await handle(messages, assertTimeLeft);
        for (const delivery of group) log.info('message done', outcomeOf(delivery));
        return [];
      } catch (error) {
        return Promise.all(group.map((delivery) => fail(queue, delivery.record, error, outcomeOf(delivery))));
      }
    });
  };

  const runLane = async (lane: readonly Delivery[], assertTimeLeft: AssertTimeLeft): Promise<SQSRecord[]> => {
    const failed: SQSRecord[] = [];
    for (const group of Map.groupBy(lane, ({ group }) => group).values()) {
      failed.push(...(await run(group, assertTimeLeft)));
    }
    return failed;
  };

  return (event: SQSEvent, context: Timed = untimed): Promise<SQSBatchResponse> =>
    withLogContext({ worker: name }, async () => {
      const unreadable: Promise<SQSRecord>[] = [];
      const readable: Delivery[] = [];
      for (const record of event.Records) {
        try {
          const message = readMessage(schema, record.body);
          const { messageId } = record;
          readable.push({ record, message, ...(placeOf(message) ?? { group: messageId, lane: messageId }) });
        } catch (error) {
          unreadable.push(fail(queue, record, error, {}));
        }
      }
      const lanes = [...Map.groupBy(readable, ({ lane }) => lane).values()];
      const assertTimeLeft = () => {
        if (!hasTimeLeft(context)) throw new ServiceUnavailable('Too little time is left: the message comes again.');
      };
      const failed = (await Promise.all([...unreadable, ...lanes.map((lane) => runLane(lane, assertTimeLeft))])).flat();
      const done = readable.filter(({ record }) => !failed.includes(record));
      if (lagMetric && done.length > 0) recordMetrics({ [lagMetric]: done.map(({ record }) => lagOf(record)) });
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
}

/** Logs why, and has the message come again later, or within seconds where that is of no use. */
async function fail(queue: WorkerQueue, record: SQSRecord, error: unknown, facts: LogFacts): Promise<SQSRecord> {
  log.error('message failed', error, { messageId: record.messageId, ...facts, ...issuesOf(error) });
  const VisibilityTimeout = error instanceof UnreadableMessage ? unreadableBackoffSeconds : backoffSeconds(record);
  const command = { QueueUrl: queue.url, ReceiptHandle: record.receiptHandle, VisibilityTimeout };
  try {
    await queue.sqs.send(new ChangeMessageVisibilityCommand(command));
  } catch (cause) {
    log.warn('message comes back at its visibility timeout', cause, { messageId: record.messageId });
  }
  return record;
}

/** By the queue's clock and ours; events that a platform hands in late have a date of their own. */
function lagOf({ attributes }: SQSRecord): number {
  return Math.max(0, Date.now() - Number(attributes.SentTimestamp));
}

/** What is true of all messages of a group. */
function commonFacts([first = {}, ...others]: readonly LogFacts[]): LogFacts {
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((other) => other[name] === value)),
  );
}

function readMessage<Schema extends z.ZodMiniType>(schema: Schema, body: string): z.output<Schema> {
  const parsed = parse(schema, parseJson(body));
  if (!parsed.ok) throw new UnreadableMessage(parsed.issues);
  return parsed.value;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new UnreadableMessage([{ path: '', message: 'must be JSON' }], { cause });
  }
}

/** The reason that the dead-letter queue's log line gives: a path and a rule, never a value. */
function issuesOf(error: unknown) {
  if (!(error instanceof UnreadableMessage)) return {};
  return { issues: error.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ') };
}

/** 4, 24, 144 and 864 seconds, half of it jitter: five receives outlast a quarter of an hour of somebody else's outage. */
function backoffSeconds({ attributes }: SQSRecord): number {
  const receives = Number(attributes.ApproximateReceiveCount);
  const ceiling = Math.min(firstBackoffSeconds * backoffGrowth ** (receives - 1), maxBackoffSeconds);
  return Math.ceil(ceiling / 2 + (Math.random() * ceiling) / 2);
}
