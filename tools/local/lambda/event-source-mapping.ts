import { setTimeout as delay } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { failedIds } from './batch-response.ts';
import type { Outcome } from './function-thread.ts';
import { largestRequestBytes } from './payload-limits.ts';
import { eventBytes, sqsEvent, withinPayload } from './sqs-event.ts';

/** A queue, the function that reads it, and the size of its batches. */
export type EventSourceOptions = {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly maxConcurrency: number;
  readonly reportsBatchItemFailures: boolean;
  readonly invoke: (event: unknown) => Promise<Outcome>;
  /** Receives errors of polling, invoking and deleting. A function that fails is no such error. */
  readonly onFailure: (error: unknown) => void;
};

// Short, because `stop` waits for the poll to end.
const pollSeconds = 1;
// The maximum of one SQS request.
const largestReceive = 10;
// How often a batch that is being collected takes what has arrived.
const collectMs = 100;
const afterErrorMs = 1000;

/**
 * Polls a queue and invokes a function with batches, at most `maxConcurrency` at once, as Lambda does. Deletes the
 * messages that succeeded. The others return when their visibility timeout ends.
 */
export class EventSourceMapping {
  readonly #options: EventSourceOptions;
  /** The batches that run, each with its messages. */
  readonly #underWay = new Map<Promise<void>, readonly Message[]>();
  readonly #polling: Promise<void>;
  #stopping = false;
  readonly #stop = Promise.withResolvers<void>();
  /** When messages were last asked for, and how long the oldest one had waited for its first delivery. */
  #received = { at: 0, waitedMs: 0 };
  /** When the queue last had no message to deliver. */
  #emptyAt = 0;

  constructor(options: EventSourceOptions) {
    this.#options = options;
    this.#polling = this.#poll();
  }

  /** How many batches run, and how long a message waits before its batch starts. */
  get load(): { readonly running: number; readonly maxConcurrency: number; readonly waitedMs: number } {
    const [running, { maxConcurrency }] = [this.#underWay.size, this.#options];
    const isFull = running >= maxConcurrency; // then the last messages still wait for a place
    const waitedMs = this.#received.waitedMs + (isFull ? Date.now() - this.#received.at : 0);
    return { running, maxConcurrency, waitedMs };
  }

  /** Stops polling, waits at most `graceMs` for the running batches, and puts the messages of the others back. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#stop.resolve();
    await this.#polling;
    await Promise.race([Promise.all(this.#underWay.keys()), delay(graceMs, undefined, { ref: false })]);
    await this.#putBack([...this.#underWay.values()].flat());
  }

  async #poll(): Promise<void> {
    while (!this.#stopping) {
      try {
        const messages = await this.#collect();
        for (const batch of withinPayload(messages, this.#options.queueArn)) await this.#dispatch(batch);
      } catch (error) {
        this.#options.onFailure(error);
        await delay(afterErrorMs);
      }
    }
  }

  /** Collects messages until their number or their payload is full, or the window that the first one began has ended. */
  async #collect(): Promise<Message[]> {
    const { batchSize, batchingWindowSeconds, queueArn } = this.#options;
    const messages = await this.#receive(batchSize, pollSeconds);
    this.#received = { at: Date.now(), waitedMs: longestWait(messages, this.#emptyAt) };
    if (messages.length === 0) this.#emptyAt = Date.now();
    const windowEndsAt = Date.now() + batchingWindowSeconds * 1000;
    let bytes = eventBytes(messages, queueArn);
    const isOpen = () => messages.length > 0 && Date.now() < windowEndsAt && !this.#stopping;
    while (isOpen() && messages.length < batchSize && bytes < largestRequestBytes) {
      const received = await this.#receive(batchSize - messages.length, 0);
      messages.push(...received);
      bytes += eventBytes(received, queueArn);
      if (received.length === 0) await delay(collectMs);
    }
    return messages;
  }

  async #receive(count: number, waitSeconds: number): Promise<Message[]> {
    const { sqs, queueUrl } = this.#options;
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: Math.min(count, largestReceive),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  /** Starts a batch. Waits only if the maximum number is running, and not longer than until the mapping stops. */
  async #dispatch(messages: readonly Message[]): Promise<void> {
    if (this.#stopping) return this.#putBack(messages);
    const batch = this.#run(messages)
      .catch(this.#options.onFailure)
      .finally(() => this.#underWay.delete(batch));
    this.#underWay.set(batch, messages);
    const isFull = this.#underWay.size >= this.#options.maxConcurrency;
    if (isFull) await Promise.race([...this.#underWay.keys(), this.#stop.promise]);
  }

  async #run(messages: readonly Message[]): Promise<void> {
    const { invoke, queueArn, reportsBatchItemFailures } = this.#options;
    const outcome = await invoke(sqsEvent(messages, queueArn));
    if (!outcome.ok) return;
    const ids = messages.map(({ MessageId = '' }) => MessageId);
    const failed = reportsBatchItemFailures ? failedIds(outcome.payload, ids) : new Set<string>();
    await this.#delete(messages.filter(({ MessageId = '' }) => !failed.has(MessageId)));
  }

  async #delete(messages: readonly Message[]): Promise<void> {
    const { sqs, queueUrl } = this.#options;
    for (const Entries of entriesOf(messages)) {
      const { Failed = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
      if (Failed.length > 0)
        throw new Error(`${Failed.length} handled messages could not be deleted: ${Failed[0]?.Message}`);
    }
  }

  /** Lets messages be received again soon, so that the next start of the runner goes on with them. */
  async #putBack(messages: readonly Message[]): Promise<void> {
    const { sqs, queueUrl } = this.#options;
    for (const entries of entriesOf(messages)) {
      const Entries = entries.map((entry) => ({ ...entry, VisibilityTimeout: 1 }));
      await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  }
}

/** Splits messages into batch requests of ten entries. */
function entriesOf(messages: readonly Message[]) {
  const entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  const requests = Math.ceil(entries.length / largestReceive);
  return Array.from({ length: requests }, (_, request) =>
    entries.slice(request * largestReceive, (request + 1) * largestReceive),
  );
}

/**
 * A message that is delivered again has not waited, but failed. What was sent with a delay did not wait while the queue had nothing else to
 * deliver.
 */
function longestWait(messages: readonly Message[], emptyAt: number): number {
  const first = messages.filter(({ Attributes }) => Attributes?.ApproximateReceiveCount === '1');
  return Math.max(
    0,
    ...first.map(({ Attributes }) => Date.now() - Math.max(Number(Attributes?.SentTimestamp), emptyAt)),
  );
}
