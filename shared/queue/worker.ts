import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { parse } from '../contracts/parse.ts';
import { UnreadableMessage } from '../errors.ts';
import { type LogFacts, log, withLogContext } from '../logger.ts';

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
};

/**
 * A Lambda handler for one queue. `handle` returns: the message is done; it throws: the message comes again after a
 * growing, jittered pause, and after five times goes to the dead-letter queue. One that its schema refuses goes there
 * within seconds, and never holds up the rest of its batch.
 */
export function worker<Schema extends z.ZodMiniType>(
  { name, schema, queue, factsOf }: WorkerOptions<Schema>,
  handle: (message: z.output<Schema>) => Promise<void>,
) {
  const run = async (record: SQSRecord): Promise<boolean> => {
    const startedAt = performance.now();
    let facts: LogFacts = {};
    const outcome = () => ({ ...facts, durationMs: Math.round(performance.now() - startedAt) });
    try {
      const message = readMessage(schema, record.body);
      facts = factsOf(message);
      await withLogContext(facts, () => handle(message));
      log.info('message done', outcome());
      return true;
    } catch (error) {
      log.error('message failed', error, { ...outcome(), ...issuesOf(error) });
      await putBack(record, error instanceof UnreadableMessage ? unreadableBackoffSeconds : backoffSeconds(record));
      return false;
    }
  };

  const putBack = async ({ receiptHandle }: SQSRecord, seconds: number) => {
    const command = { QueueUrl: queue.url, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
    try {
      await queue.sqs.send(new ChangeMessageVisibilityCommand(command));
    } catch (error) {
      log.warn('message comes back at its visibility timeout', error);
    }
  };

  return async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const done = await Promise.all(
      event.Records.map((record) => withLogContext({ worker: name, messageId: record.messageId }, () => run(record))),
    );
    const failed = event.Records.filter((_, index) => !done[index]);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
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
