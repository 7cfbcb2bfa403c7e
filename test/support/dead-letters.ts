import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { endpoints, eventually, sqs } from './machine.ts';

/** The queues that a platform sends to. */
export type PlatformQueue = 'roomEvents' | 'networkSamples';

const queue = { QueueUrl: endpoints.queues.roomEvents };
const deadLetterQueue = { QueueUrl: endpoints.queues.roomEventsDlq };

/**
 * The bodies of the dead letters (of the room-events queue, unless another is named) that hold these texts, one for each and
 * in their order, as soon as all are there; taken out of the queue. Others come back a second later.
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
    if (missing.length > 0) throw new Error(`No dead letter holds ${missing.join(', ')}.`);
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

/** Puts a message straight into the dead-letter queue, where a worker that is repaired by now has left it. */
export async function sendDeadLetter(message: object): Promise<void> {
  await sqs.send(new SendMessageCommand({ ...deadLetterQueue, MessageBody: JSON.stringify(message) }));
}

/** Moves a dead letter back to the queue that it came from, under a new message id, as a redrive does. */
export async function redrive(text: string): Promise<void> {
  const [MessageBody] = await takeDeadLetters([text]);
  await sqs.send(new SendMessageCommand({ ...queue, MessageBody }));
}
