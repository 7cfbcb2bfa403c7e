import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  MessageNotInflight,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { type QueueName, queueNames } from '#shared/runtime/names.ts';
import type { SentEvents } from './insights/sent-events.ts';
import type { WorldResources } from './resources.ts';

/** How a worker gets the messages of a batch. */
export type Delivery = {
  /** Returns the messages that the worker gets. The others become visible again. */
  readonly choose?: (messages: readonly Message[]) => readonly Message[];
  /** The visibility timeout lapses before the worker is done, so that the messages stay in the queue. */
  readonly lapses?: boolean;
};

/** Longer than any test, so that a message is visible again only when `finish` makes it so. */
const hiddenSeconds = 600;

/** A world's queues, as seen from outside the functions. */
export class WorldQueues {
  private readonly resources: WorldResources;
  private readonly sent: SentEvents;

  constructor(resources: WorldResources, sent: SentEvents) {
    this.resources = resources;
    this.sent = sent;
  }

  /** Sends a message to a queue, as an external producer does. */
  async send(queue: QueueName, body: object): Promise<void> {
    const QueueUrl = this.resources.queues[queue];
    const MessageBody = JSON.stringify(body);
    this.sent.record(queue, MessageBody);
    await this.resources.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }

  /** Receives a batch, which stays invisible until `finish`. */
  async receive(queue: QueueName): Promise<Message[]> {
    const { sqs, queues, countMessages } = this.resources;
    const QueueUrl = queues[queue];
    if (countMessages(QueueUrl) === 0) return [];
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: hiddenSeconds,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  /** Deletes a message that is done, and makes any other visible again. */
  async finish(queue: QueueName, { ReceiptHandle }: Message, isDone: boolean): Promise<void> {
    const { sqs, queues } = this.resources;
    const QueueUrl = queues[queue];
    if (isDone) return void (await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })));
    try {
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    } catch (error) {
      const isVisibleAlready = error instanceof MessageNotInflight; // the worker has made it visible already
      if (!isVisibleAlready) throw error;
    }
  }

  /** The number of messages in all queues, including invisible ones. */
  count(kind: 'queues' | 'deadLetterQueues'): number {
    const { countMessages, [kind]: queues } = this.resources;
    return Object.values(queues).reduce((sum, queueUrl) => sum + countMessages(queueUrl), 0);
  }

  /** Sends up to `limit` messages from a queue to another, as a redrive does. The copies have new ids. Returns their number. */
  async move(from: string, to: string, limit = 10): Promise<number> {
    const { sqs, countMessages } = this.resources;
    if (countMessages(from) === 0) return 0;
    const command = { QueueUrl: from, MaxNumberOfMessages: limit, VisibilityTimeout: hiddenSeconds };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(command));
    for (const { Body, ReceiptHandle } of Messages) {
      await sqs.send(new SendMessageCommand({ QueueUrl: to, MessageBody: Body }));
      await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
    }
    return Messages.length;
  }

  /** Receives every dead letter, and leaves it in its queue. Returns the bodies. */
  async readDeadLetters(): Promise<unknown[]> {
    const { sqs, deadLetterQueues, countMessages } = this.resources;
    const bodies: unknown[] = [];
    for (const QueueUrl of Object.values(deadLetterQueues)) {
      for (let left = countMessages(QueueUrl); left > 0; ) {
        const command = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: hiddenSeconds };
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(command));
        if (Messages.length === 0) break;
        bodies.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
        left -= Messages.length;
      }
    }
    return bodies;
  }

  /** Redrives every dead letter once. Returns their number. */
  async redriveAll(): Promise<number> {
    const { queues, deadLetterQueues } = this.resources;
    let redriven = 0;
    for (const queue of queueNames) {
      for (let moved = -1; moved !== 0; redriven += Math.max(moved, 0))
        moved = await this.move(deadLetterQueues[queue], queues[queue]);
    }
    return redriven;
  }

  /** Deletes the dead letters that are chosen by their bodies. */
  async discardDeadLetters(isChosen: (body: unknown) => boolean): Promise<void> {
    const { sqs, deadLetterQueues, countMessages } = this.resources;
    for (const QueueUrl of Object.values(deadLetterQueues)) {
      const kept: Message[] = [];
      for (let left = countMessages(QueueUrl); left > 0; ) {
        const command = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: hiddenSeconds };
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(command));
        if (Messages.length === 0) break;
        left -= Messages.length;
        for (const message of Messages) {
          const { Body = '', ReceiptHandle } = message;
          if (isChosen(JSON.parse(Body))) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
          else kept.push(message);
        }
      }
      for (const { ReceiptHandle } of kept)
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    }
  }

  /** Empties the dead-letter queues and returns the number of their messages. */
  async purgeDeadLetters(): Promise<number> {
    const { sqs, deadLetterQueues } = this.resources;
    let count = 0;
    for (const QueueUrl of Object.values(deadLetterQueues)) {
      for (;;) {
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
        if (Messages.length === 0) break;
        for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        count += Messages.length;
      }
    }
    return count;
  }
}
