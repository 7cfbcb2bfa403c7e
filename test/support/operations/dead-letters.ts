import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { eventually } from '../eventually.ts';
import { endpoints, sqs } from '../machine.ts';

/** A queue that platforms send messages to. */
export type PlatformQueue = 'roomEvents' | 'networkSamples';

const queue = { QueueUrl: endpoints.queues.roomEvents };
const deadLetterQueue = { QueueUrl: endpoints.queues.roomEventsDlq };

/**
 * Waits until a dead-letter queue has one message for each text, removes these messages, and returns their bodies in the order
 * of the texts. Other messages are visible again after a second.
 */
export async function takeDeadLetters(
  texts: readonly string[],
  queueName: PlatformQueue = 'roomEvents',
): Promise<string[]> {
  const from = { QueueUrl: endpoints.queues[`${queueName}Dlq`] };
  const found = new Map<string, string>();
  await eventually(async () => {
    for (const { Body = '', ReceiptHandle } of await receive(from)) {
      const text = texts.find((each) => Body.includes(each) && !found.has(each));
      if (text === undefined) continue;
      await sqs.send(new DeleteMessageCommand({ ...from, ReceiptHandle }));
      found.set(text, Body);
    }
    const missing = texts.filter((text) => !found.has(text));
    if (missing.length > 0) throw new Error(`No dead letter contains ${missing.join(', ')}.`);
  }, 40_000);
  return texts.map((text) => found.get(text) ?? '');
}

async function receive(from: { readonly QueueUrl: string | undefined }): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      ...from,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 1,
      WaitTimeSeconds: 1,
    }),
  );
  return Messages;
}

/** Sends a message directly to the dead-letter queue of room events, as if a worker had failed to process it. */
export async function sendDeadLetter(message: object): Promise<void> {
  await sqs.send(new SendMessageCommand({ ...deadLetterQueue, MessageBody: JSON.stringify(message) }));
}

/** Moves a dead letter of room events back to its queue, with a new message id, as a redrive does. */
export async function redrive(text: string): Promise<void> {
  const [MessageBody] = await takeDeadLetters([text]);
  await sqs.send(new SendMessageCommand({ ...queue, MessageBody }));
}
