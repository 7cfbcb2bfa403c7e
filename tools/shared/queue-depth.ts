import { setTimeout as delay } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

type Sqs = Pick<SQSClient, 'send'>;

const pollMs = 250;
const defaultPatienceMs = 60_000;

/**
 * The approximate number of messages in a queue, with those that were sent for later. `hidden` counts those that someone received and did not
 * delete yet.
 */
export type QueueDepth = { readonly total: number; readonly hidden: number };

/** Reads the depth of a queue. */
export async function queueDepth(sqs: Sqs, queueUrl: string): Promise<QueueDepth> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  const { ApproximateNumberOfMessages: visible = 0, ApproximateNumberOfMessagesNotVisible: hidden = 0 } = Attributes;
  const { ApproximateNumberOfMessagesDelayed: delayed = 0 } = Attributes;
  return { total: Number(visible) + Number(hidden) + Number(delayed), hidden: Number(hidden) };
}

/** The approximate number of messages in a queue, including those in flight. */
async function messagesIn(sqs: Sqs, queueUrl: string): Promise<number> {
  return (await queueDepth(sqs, queueUrl)).total;
}

/**
 * Waits until the queues are empty, so that repeated messages are handled, too. Returns if the number of messages does
 * not fall for a minute: then messages fail, and the comparison that follows reports what is missing.
 */
export async function untilDrained(
  sqs: Sqs,
  queueUrls: readonly string[],
  { onProgress, patienceMs = defaultPatienceMs }: { onProgress?: (left: number) => void; patienceMs?: number } = {},
): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  let shrankAt = Date.now();
  for (;;) {
    const counts = await Promise.all(queueUrls.map((url) => messagesIn(sqs, url)));
    const left = counts.reduce((sum, count) => sum + count, 0);
    onProgress?.(left);
    if (left < fewest) [fewest, shrankAt] = [left, Date.now()];
    if (left === 0 || Date.now() - shrankAt > patienceMs) return;
    await delay(pollMs);
  }
}
