import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { messagesIn } from '../shared/queue-depth.ts';

/** The queues of a deployment: an SQS client, and the URLs by name. The dead-letter queue of `roomEvents` is `roomEventsDlq`. */
export type DeploymentQueues = {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly queues: Readonly<Record<string, string>>;
};

/** The number of messages in a queue and in its dead-letter queue. */
type QueueCount = { readonly queue: string; readonly messages: number; readonly deadLetters: number };

const suffix = 'Dlq';
/** The most messages that SQS returns at once. */
const maxBatch = 10;
/** How long a received dead letter is hidden from other readers. */
const visibilityTimeoutSeconds = 30;
/** A receive call asks only some of the SQS servers, so one empty response does not prove that a queue is empty. */
const maxEmptyResponses = 3;

/** Returns the names of the queues that have a dead-letter queue. */
export function queueNamesOf({ queues }: DeploymentQueues): string[] {
  return Object.keys(queues)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));
}

/** Counts the messages in every queue and its dead-letter queue, including those in flight. The counts are approximate. */
export function countMessages(deployment: DeploymentQueues): Promise<QueueCount[]> {
  return Promise.all(
    queueNamesOf(deployment).map(async (queue) => ({
      queue,
      messages: await count(deployment, queue),
      deadLetters: await count(deployment, `${queue}${suffix}`),
    })),
  );
}

/**
 * Reads up to `maximum` dead letters of a queue without removing them. Other readers do not see them for 30 seconds.
 */
export async function peekDeadLetters(
  deployment: DeploymentQueues,
  queue: string,
  maximum: number,
): Promise<Message[]> {
  const found = new Map<string | undefined, Message>();
  for (let empty = 0; empty < maxEmptyResponses && found.size < maximum; ) {
    const messages = await receive(deployment, queue);
    for (const message of messages) found.set(message.MessageId, message);
    empty = messages.length === 0 ? empty + 1 : 0;
  }
  return [...found.values()].slice(0, maximum);
}

/**
 * Moves the dead letters that exist at the start back to their queue, and returns how many it moved. Each one is sent before
 * it is deleted, so an interruption can send one message twice. All workers accept repeated messages.
 */
export async function redriveDeadLetters(
  deployment: DeploymentQueues,
  queue: string,
  onMoved: (moved: number, total: number) => void = () => {},
): Promise<number> {
  const total = await count(deployment, `${queue}${suffix}`);
  let moved = 0;
  for (let empty = 0; empty < maxEmptyResponses && moved < total; ) {
    const messages = await receive(deployment, queue);
    empty = messages.length === 0 ? empty + 1 : 0;
    moved += await moveBack(deployment, queue, messages);
    onMoved(moved, Math.max(moved, total));
  }
  return moved;
}

function count({ sqs, queues }: DeploymentQueues, name: string): Promise<number> {
  return messagesIn(sqs, queues[name] ?? '');
}

async function receive({ sqs, queues }: DeploymentQueues, queue: string): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queues[`${queue}${suffix}`],
      MaxNumberOfMessages: maxBatch,
      VisibilityTimeout: visibilityTimeoutSeconds,
      WaitTimeSeconds: 1,
      MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages;
}

/** Sends messages one at a time, because ten of them can exceed the size limit of a batch. */
async function moveBack(
  { sqs, queues }: DeploymentQueues,
  queue: string,
  messages: readonly Message[],
): Promise<number> {
  for (const { Body, MessageAttributes, ReceiptHandle } of messages) {
    await sqs.send(new SendMessageCommand({ QueueUrl: queues[queue], MessageBody: Body, MessageAttributes }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queues[`${queue}${suffix}`], ReceiptHandle }));
  }
  return messages.length;
}
