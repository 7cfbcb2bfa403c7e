import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { endpoints, eventually, sqs } from './machine.ts';

const queue = { QueueUrl: endpoints.queues.roomEvents };
const deadLetterQueue = { QueueUrl: endpoints.queues.roomEventsDlq };

/**
 * The bodies of the room-events dead letters that hold these texts, one for each and in their order, as soon as all are
 * there; taken out of the queue. Others come back a second later.
 */
export async function takeDeadLetters(texts: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>();
  await eventually(async () => {
    for (const { Body = '', ReceiptHandle } of await receive()) {
      const text = texts.find((each) => Body.includes(each) && !found.has(each));
      if (text === undefined) continue;
      await sqs.send(new DeleteMessageCommand({ ...deadLetterQueue, ReceiptHandle }));
      found.set(text, Body);
    }
    const missing = texts.filter((text) => !found.has(text));
    if (missing.length > 0) throw new Error(`No dead letter holds ${missing.join(', ')}.`);
  }, 40_000);
  return texts.map((text) => found.get(text) ?? '');
}

async function receive(): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      ...deadLetterQueue,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 1,
      WaitTimeSeconds: 1,
    }),
  );
  return Messages;
}

/** Puts a message straight into the dead-letter queue, where a worker that is repaired by now has left it. */
export async function sendDeadLetter(message: object): Promise<void> {
  await sqs.send(new SendMessageCommand({ ...deadLetterQueue, MessageBody: JSON.stringify(message) }));
}

/** Moves a dead letter back to the queue that it came from, under a new message id, as a redrive does. */
export async function redrive(text: string): Promise<void> {
  const [MessageBody] = await takeDeadLetters([text]);
  await sqs.send(new SendMessageCommand({ ...queue, MessageBody }));
}
