import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { messagesIn } from '../shared/queue-depth.ts';

/** Where messages are, and how they are reached: of each queue, by name, its URL and that of its dead-letter queue. */
export type DeadLetterSource = {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly queues: Readonly<Record<string, string>>;
};

/** How many messages a queue has, and how many of it are dead letters. */
type QueueCount = { readonly queue: string; readonly waiting: number; readonly deadLetters: number };

const suffix = 'Dlq';
/** The most that SQS hands over at once. */
const maxBatch = 10;
/** While dead letters are looked at or moved, nobody else sees them. */
const visibilityTimeoutSeconds = 30;
/** An empty answer of SQS is no proof that a queue is empty: it asks a part of its servers. */
const emptyAnswers = 3;

/** Names of the queues that have a dead-letter queue. */
export function queueNamesOf({ queues }: DeadLetterSource): string[] {
  return Object.keys(queues)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));
}

/** About how many messages there are, in every queue and its dead-letter queue; those that are being worked on included. */
export function countMessages(source: DeadLetterSource): Promise<QueueCount[]> {
  return Promise.all(
    queueNamesOf(source).map(async (queue) => ({
      queue,
      waiting: await countOf(source, queue),
      deadLetters: await countOf(source, `${queue}${suffix}`),
    })),
  );
}

/** Some of a queue's dead letters, which stay where they are: they are visible again after 30 seconds. */
export async function peekDeadLetters(source: DeadLetterSource, queue: string, maximum: number): Promise<Message[]> {
  const found = new Map<string | undefined, Message>();
  for (let empty = 0; empty < emptyAnswers && found.size < maximum; ) {
    const messages = await receive(source, queue);
    for (const message of messages) found.set(message.MessageId, message);
    empty = messages.length === 0 ? empty + 1 : 0;
  }
  return [...found.values()].slice(0, maximum);
}

/**
 * Moves a queue's dead letters back into it, those that are there when it begins, and tells how many by now. Each is sent
 * before it is taken away: whoever dies in between has sent it twice, which every worker stands.
 */
export async function redriveDeadLetters(
  source: DeadLetterSource,
  queue: string,
  onMoved: (moved: number, total: number) => void = () => {},
): Promise<number> {
  const total = await countOf(source, `${queue}${suffix}`);
  let moved = 0;
  for (let empty = 0; empty < emptyAnswers && moved < total; ) {
    const messages = await receive(source, queue);
    empty = messages.length === 0 ? empty + 1 : 0;
    moved += await moveBack(source, queue, messages);
    onMoved(moved, Math.max(moved, total));
  }
  return moved;
}

function countOf({ sqs, queues }: DeadLetterSource, name: string): Promise<number> {
  return messagesIn(sqs, queues[name] ?? '');
}

async function receive({ sqs, queues }: DeadLetterSource, queue: string): Promise<Message[]> {
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

/** One by one: ten of them may be too large for one batch. */
async function moveBack(
  { sqs, queues }: DeadLetterSource,
  queue: string,
  messages: readonly Message[],
): Promise<number> {
  for (const { Body, MessageAttributes, ReceiptHandle } of messages) {
    await sqs.send(new SendMessageCommand({ QueueUrl: queues[queue], MessageBody: Body, MessageAttributes }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queues[`${queue}${suffix}`], ReceiptHandle }));
  }
  return messages.length;
}
