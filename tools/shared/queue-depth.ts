import { setTimeout as delay } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

type Sqs = Pick<SQSClient, 'send'>;

const pollMs = 250;
const defaultPatienceMs = 60_000;

/** About how many messages a queue has; those that are being worked on included. */
export async function messagesIn(sqs: Sqs, queueUrl: string): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...AttributeNames] }),
  );
  return AttributeNames.reduce((sum, attribute) => sum + Number(Attributes[attribute] ?? 0), 0);
}

/**
 * Waits until the queues are empty: what was sent again has been handled, too. Goes on where they do not become any
 * shorter for a minute: then messages fail, and whoever compares afterwards sees what is missing.
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
