import { setTimeout } from 'node:timers/promises';
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import { ServiceUnavailable } from '../errors.ts';

const batchSize = 10;
const parallelBatches = 8;
const maxAttempts = 4;
const maxPauseMs = 50;

/** Sends messages of one kind to one queue. */
export type MessageSender<Message> = {
  /** Resolves when the queue holds every message; throws where it does not. `delaySeconds` is at most 900. */
  send(messages: readonly Message[], options?: { readonly delaySeconds?: number }): Promise<void>;
};

/** A sender to one queue. Entries that SQS refuses are sent again. */
export function messageSender<Message>(sqs: Pick<SQSClient, 'send'>, queueUrl: string): MessageSender<Message> {
  const sendBatch = async (batch: readonly SendMessageBatchRequestEntry[]) => {
    let entries = batch;
    for (let attempt = 1; entries.length > 0; attempt++) {
      if (attempt > maxAttempts) throw new ServiceUnavailable('A queue did not take every message.');
      const { Failed = [] } = await sqs.send(
        new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...entries] }),
      );
      const failedIds = new Set(Failed.map(({ Id }) => Id));
      entries = entries.filter(({ Id }) => failedIds.has(Id));
      if (entries.length > 0) await setTimeout(Math.random() * maxPauseMs * attempt);
    }
  };
  return {
    async send(messages, { delaySeconds } = {}) {
      const entries = messages.map((message, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(message),
        ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
      }));
      const batches = chunk(entries, batchSize);
      for (const parallel of chunk(batches, parallelBatches)) await Promise.all(parallel.map(sendBatch));
    },
  };
}

/** Splits a list into lists of at most `size`. */
export function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
