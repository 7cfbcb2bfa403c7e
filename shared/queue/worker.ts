import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { parse } from '../contracts/common/parse.ts';
import { idsOf, type Refusal } from '../contracts/message-ids.ts';
import { ServiceUnavailable, UnreadableMessage } from '../runtime/errors.ts';
import { elapsedMs, type LogFacts, log, withLogContext } from '../runtime/logger.ts';
import { type Measured, recordMetrics } from '../runtime/metrics.ts';
import { type AssertTimeLeft, beforeTimeout, hasTimeLeft, type Timed } from '../runtime/time-left.ts';
import { arrivalOf, queuedAtOf } from './arrival.ts';
import { refusalOf } from './refusal.ts';
import { byTurns, type Delivered, mayWait, sendBack } from './turn.ts';

/**
 * Pause between the receives of an unreadable message, so that all five receives take seconds. SQS would accept zero. But the
 * local runner's SQS (fauxqs 2.4.1 with its state on disk) loses a message that becomes visible immediately.
 */
const unreadableBackoffSeconds = 1;
const firstBackoffSeconds = 4;
const backoffGrowth = 6;
const maxBackoffSeconds = 900;
/** Bounds the memory of a batch of hundreds of messages, and how many of them take its time at once. */
const lanesAtOnce = 3;

/** The queue that a worker receives from. */
export type WorkerQueue = { readonly sqs: Pick<SQSClient, 'send'>; readonly url: string };

/** How a worker reads its messages, and what it logs and measures. */
export type WorkerOptions<Schema extends z.ZodMiniType> = {
  /** The worker's name in the logs. */
  readonly name: string;
  readonly schema: Schema;
  readonly queue: WorkerQueue;
  /** Facts about a message. Every log line about the message contains them. */
  readonly factsOf: (message: z.output<Schema>) => LogFacts;
  /** Throws `UnreadableMessage` if a readable message must not be handled. `arrivedAt` is when it was first sent. */
  readonly check?: (message: z.output<Schema>, arrivedAt: Date) => void;
  /** Metric of the time for which a message was in its queue, through all turns, until it is completed. */
  readonly lagMetric?: keyof Measured;
  /**
   * How long a batch starts messages. Those that are left go to the end of the queue, so that other organizations do not wait for a batch
   * of hundreds. The function must be allowed to send to its queue. By default, a batch starts messages while there is time.
   */
  readonly turnMs?: number;
  /** Records the refused messages of a batch, after its other messages. A failure is logged, and fails no message. */
  readonly recordRefusals?: ((refusals: readonly Refusal[]) => Promise<void>) | undefined;
};

/**
 * Creates the Lambda handler of a queue. If `handle` returns, the message is deleted. If it throws, SQS redelivers the message
 * after a growing pause with jitter, and moves it to the dead-letter queue after five receives. A message that does not match the
 * schema reaches the dead-letter queue within seconds. A failed message does not delay the others of its batch.
 */
export function worker<Schema extends z.ZodMiniType>(
  options: WorkerOptions<Schema>,
  handle: (message: z.output<Schema>, assertTimeLeft: AssertTimeLeft) => Promise<void>,
) {
  return groupWorker({ ...options, orderOf: () => undefined }, async (messages, assertTimeLeft) => {
    for (const message of messages) await handle(message, assertTimeLeft);
    return new Map();
  });
}

/** A message that was not completed, and why. */
type Failed = { readonly record: SQSRecord; readonly error: unknown };

const untimed: Timed = { getRemainingTimeInMillis: () => Number.POSITIVE_INFINITY };

/** Which messages of a batch are handled together, and which one after another. */
export type MessageOrder = {
  /** Messages of one group are handled in one call, and succeed or fail together. Without a group, a message is handled alone. */
  readonly group?: string | undefined;
  /** Groups of one lane are handled one after another, so that they do not compete for the same rows. Three lanes run in parallel. */
  readonly lane: string;
};

/** The messages of a group that are refused, and why. They come again after a pause that depends on the error, and the others of their group are done. */
type Refused<Schema extends z.ZodMiniType> = ReadonlyMap<z.output<Schema>, Error>;

/**
 * Like `worker`, but handles the messages of a group in one call. If `orderOf` returns undefined, the message is a group and a
 * lane of its own. If too little time is left for a group, the group is not started, and SQS redelivers its messages.
 */
export function groupWorker<Schema extends z.ZodMiniType>(
  {
    name,
    schema,
    queue,
    factsOf,
    check = () => {},
    lagMetric,
    turnMs = Number.POSITIVE_INFINITY,
    recordRefusals,
    orderOf,
  }: WorkerOptions<Schema> & { readonly orderOf: (message: z.output<Schema>) => MessageOrder | undefined },
  handle: (messages: readonly z.output<Schema>[], assertTimeLeft: AssertTimeLeft) => Promise<Refused<Schema>>,
) {
  type Delivery = Required<MessageOrder> & Delivered & { readonly message: z.output<Schema> };

  const factsOfDelivery = ({ record, message }: Delivery) => ({ messageId: record.messageId, ...factsOf(message) });
  const outcomeOf = (delivery: Delivery) => ({ ...factsOfDelivery(delivery), durationMs: elapsedMs() });

  /** Handles one group. Returns the failed messages. */
  const runGroup = (group: readonly Delivery[], assertTimeLeft: AssertTimeLeft): Promise<Failed[]> => {
    return withLogContext(commonFacts(group.map(factsOfDelivery)), async () => {
      try {
        assertTimeLeft();
        const messages = group.map(({ message }) => message);
        const refused = await handle(messages, assertTimeLeft);
        const failed: Promise<Failed>[] = [];
        for (const delivery of group) {
          const reason = refused.get(delivery.message);
          if (reason) failed.push(fail(queue, delivery.record, reason, outcomeOf(delivery)));
          else log.info('message done', outcomeOf(delivery));
        }
        return await Promise.all(failed);
      } catch (error) {
        return Promise.all(group.map((delivery) => fail(queue, delivery.record, error, outcomeOf(delivery))));
      }
    });
  };

  type Turn = { readonly assertTimeLeft: AssertTimeLeft; readonly endsAt: number; readonly sentBack: Set<SQSRecord> };

  /** Sends back what the turn left. Returns the messages that failed, because the queue did not take them. */
  const endTurn = async (left: readonly Delivery[], sentBack: Set<SQSRecord>): Promise<Failed[]> => {
    if (left.length === 0) return [];
    const { sent, error } = await sendBack(queue.sqs, queue.url, left);
    for (const [delivery, newMessageId] of sent) {
      sentBack.add(delivery.record);
      log.info('message sent back', { ...outcomeOf(delivery), newMessageId });
    }
    const kept = left.filter((delivery) => !sent.has(delivery));
    return Promise.all(kept.map(({ record, message }) => fail(queue, record, error, factsOf(message))));
  };

  /**
   * Runs three lanes at once, and the groups of a lane one after another. Returns the failed messages. Whoever is free when the turn is over
   * sends back at once what no lane has started, and does not wait for the others.
   */
  const runLanes = async (lanes: IteratorObject<Delivery[]>, turn: Turn): Promise<Failed[]> => {
    const failed: Failed[] = [];
    const runWaiting = async () => {
      const left: Delivery[] = [];
      for (const lane of lanes) {
        for (const group of Map.groupBy(lane, ({ group }) => group).values()) {
          if (Date.now() >= turn.endsAt && mayWait(group)) left.push(...group);
          else
            failed.push(
              ...(await endTurn(left.splice(0), turn.sentBack)),
              ...(await runGroup(group, turn.assertTimeLeft)),
            );
        }
      }
      failed.push(...(await endTurn(left, turn.sentBack)));
    };
    await Promise.all(Array.from({ length: lanesAtOnce }, runWaiting));
    return failed;
  };

  return (event: SQSEvent, context: Timed = untimed): Promise<SQSBatchResponse> =>
    withLogContext({ worker: name }, async () => {
      const unreadable: Promise<Failed>[] = [];
      const readable: Delivery[] = [];
      for (const record of event.Records) {
        let facts: LogFacts = {};
        try {
          const message = readMessage(schema, record.body);
          facts = factsOf(message);
          check(message, arrivalOf(record));
          const { messageId } = record;
          const { group = messageId, lane = messageId } = orderOf(message) ?? {};
          const tenant = record.attributes.MessageGroupId ?? String(facts.organizationId ?? messageId);
          readable.push({ record, message, group, lane, tenant });
        } catch (error) {
          unreadable.push(fail(queue, record, error, { ...idsOf(record.body), ...facts }));
        }
      }
      const lanes = byTurns(Map.groupBy(readable, ({ lane }) => lane).values()).values();
      const assertTimeLeft = () => {
        if (!hasTimeLeft(context)) throw new ServiceUnavailable('Too little time is left. SQS redelivers the message.');
      };
      const turn: Turn = { assertTimeLeft, endsAt: Date.now() + turnMs, sentBack: new Set() };
      const failed = [await Promise.all(unreadable), await runLanes(lanes, turn)].flat(2);
      const notDone = new Set([...turn.sentBack, ...failed.map(({ record }) => record)]);
      const done = readable.filter(({ record }) => !notDone.has(record));
      if (lagMetric && done.length > 0) recordMetrics({ [lagMetric]: done.map(({ record }) => lagOf(record)) });
      if (recordRefusals && hasTimeLeft(context)) await unlessItFails(recordRefusals, failed, context);
      return { batchItemFailures: failed.map(({ record }) => ({ itemIdentifier: record.messageId })) };
    });
}

/** Logs the error, and sets the pause before SQS redelivers the message: a second if it is unreadable, otherwise a backoff. */
async function fail(queue: WorkerQueue, record: SQSRecord, error: unknown, facts: LogFacts): Promise<Failed> {
  log.error('message failed', error, { messageId: record.messageId, ...facts, ...issuesOf(error) });
  const VisibilityTimeout = error instanceof UnreadableMessage ? unreadableBackoffSeconds : backoffSeconds(record);
  const command = { QueueUrl: queue.url, ReceiptHandle: record.receiptHandle, VisibilityTimeout };
  try {
    await queue.sqs.send(new ChangeMessageVisibilityCommand(command));
  } catch (cause) {
    log.warn('retry pause not set: SQS redelivers the message after its visibility timeout', cause, {
      messageId: record.messageId,
    });
  }
  return { record, error };
}

/** The list of refused messages is a help for their sender. Without it, the messages are dead letters all the same. */
async function unlessItFails(
  recordRefusals: (refusals: readonly Refusal[]) => Promise<void>,
  failed: readonly Failed[],
  context: Timed,
): Promise<void> {
  const refusals = failed.flatMap(({ record, error }) => refusalOf(record, error) ?? []);
  try {
    await beforeTimeout(context, recordRefusals(refusals));
  } catch (error) {
    log.warn('refused messages not listed', error);
  }
}

/** Time since the message came into its queue, not since the event happened: a platform may send an event late. A redrive starts anew. */
function lagOf(record: SQSRecord): number {
  return Math.max(0, Date.now() - queuedAtOf(record).getTime());
}

/** The facts that all messages of a group share. */
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

/** The issues of an unreadable message as text, for the log. It contains paths and rules, never values. */
function issuesOf(error: unknown) {
  if (!(error instanceof UnreadableMessage)) return {};
  return { issues: error.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ') };
}

/** At most 4, 24, 144 and 864 seconds. Jitter takes off up to half, so the five receives span about 9 to 17 minutes. */
function backoffSeconds({ attributes }: SQSRecord): number {
  const receives = Number(attributes.ApproximateReceiveCount);
  const ceiling = Math.min(firstBackoffSeconds * backoffGrowth ** (receives - 1), maxBackoffSeconds);
  return Math.ceil(ceiling / 2 + (Math.random() * ceiling) / 2);
}
