import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import { chunk } from '../chunk.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import { retry, tryAgain } from '../retry.ts';

const batchSize = 10;
const parallelBatches = 8;
const maxAttempts = 4;
const maxPauseMs = 50;

/** Sends messages of one kind to one queue. */
export type MessageSender<Message> = {
  /**
   * Resolves when the queue holds every message, and throws otherwise. The messages belong to the organization: it is their
   * group, by which SQS serves the queue fairly. `delaySeconds` is at most 900.
   */
  send(
    organizationId: OrganizationId,
    messages: readonly Message[],
    options?: { readonly delaySeconds?: number },
  ): Promise<void>;
};

/** A sender to one queue. It sends entries again that SQS refuses. */
export function messageSender<Message>(sqs: Pick<SQSClient, 'send'>, queueUrl: string): MessageSender<Message> {
  const sendBatch = async (batch: readonly SendMessageBatchRequestEntry[]) => {
    let entries = batch;
    const sendRest = async () => {
      const { Failed = [] } = await sqs.send(
        new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...entries] }),
      );
      const failedIds = new Set(Failed.map(({ Id }) => Id));
      entries = entries.filter(({ Id }) => failedIds.has(Id));
      return entries.length > 0 ? tryAgain : undefined;
    };
    await retry(sendRest, {
      maxAttempts,
      maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
      exhausted: 'SQS did not accept every message.',
    });
  };
  return {
    async send(organizationId, messages, { delaySeconds } = {}) {
      const entries = messages.map((message, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(message),
        MessageGroupId: organizationId,
        ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
      }));
      const batches = chunk(entries, batchSize);
      for (const parallel of chunk(batches, parallelBatches)) await Promise.all(parallel.map(sendBatch));
    },
  };
}
