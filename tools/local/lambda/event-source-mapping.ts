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
import { sqsEvent } from './sqs-event.ts';

/** A queue, the function that it feeds, and how much at a time. */
export type EventSourceOptions = {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly maxConcurrency: number;
  readonly reportsBatchItemFailures: boolean;
  readonly invoke: (event: unknown) => Promise<Outcome>;
  /** Told of a failure of the machinery, not of the function. */
  readonly onFailure: (error: unknown) => void;
};

// Short, so that stopping never cuts off a poll that already took messages.
const pollSeconds = 1;
// The most that SQS gives or takes at a time.
const largestReceive = 10;

/**
 * Feeds a function from a queue as Lambda does: batches, at most `maxConcurrency` at once. What succeeded is deleted;
 * what failed comes back when its visibility timeout is over.
 */
export class EventSourceMapping {
  readonly #options: EventSourceOptions;
  readonly #underWay = new Set<Promise<void>>();
  readonly #polling: Promise<void>;
  #stopping = false;

  constructor(options: EventSourceOptions) {
    this.#options = options;
    this.#polling = this.#poll();
  }

  /** Takes no more messages, and waits for the batches under way, but no longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#polling;
    await Promise.race([Promise.all(this.#underWay), delay(graceMs, undefined, { ref: false })]);
  }

  async #poll(): Promise<void> {
    while (!this.#stopping) {
      try {
        const messages = await this.#receiveBatch();
        if (messages.length > 0) await this.#dispatch(messages);
      } catch (error) {
        this.#options.onFailure(error);
        await delay(1000);
      }
    }
  }

  async #receiveBatch(): Promise<Message[]> {
    const { batchSize, batchingWindowSeconds } = this.#options;
    const messages = await this.#receive(batchSize, pollSeconds);
    const windowEndsAt = Date.now() + batchingWindowSeconds * 1000;
    while (messages.length > 0 && messages.length < batchSize && Date.now() < windowEndsAt && !this.#stopping) {
      messages.push(...(await this.#receive(batchSize - messages.length, pollSeconds)));
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

  /** Starts a batch, and waits only where no more may run at once. */
  async #dispatch(messages: readonly Message[]): Promise<void> {
    if (this.#stopping) return this.#putBack(messages);
    const batch = this.#run(messages)
      .catch(this.#options.onFailure)
      .finally(() => this.#underWay.delete(batch));
    this.#underWay.add(batch);
    if (this.#underWay.size >= this.#options.maxConcurrency) await Promise.race(this.#underWay);
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

  async #putBack(messages: readonly Message[]): Promise<void> {
    const { sqs, queueUrl } = this.#options;
    for (const entries of entriesOf(messages)) {
      const Entries = entries.map((entry) => ({ ...entry, VisibilityTimeout: 1 }));
      await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  }
}

/** Messages as entries of batch requests, ten in each. */
function entriesOf(messages: readonly Message[]) {
  const entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  const requests = Math.ceil(entries.length / largestReceive);
  return Array.from({ length: requests }, (_, request) =>
    entries.slice(request * largestReceive, (request + 1) * largestReceive),
  );
}
