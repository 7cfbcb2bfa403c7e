import { setTimeout as delay } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

type Sqs = Pick<SQSClient, 'send'>;

const pollMs = 250;
const defaultPatienceMs = 60_000;

/** The approximate number of messages in a queue, including those in flight. */
export async function messagesIn(sqs: Sqs, queueUrl: string): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...AttributeNames] }),
  );
  return AttributeNames.reduce((sum, attribute) => sum + Number(Attributes[attribute] ?? 0), 0);
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
