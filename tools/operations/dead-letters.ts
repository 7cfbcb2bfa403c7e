import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { firstSentAttribute } from '../../shared/names.ts';
import { type QueueDepth, queueDepth } from '../shared/queue-depth.ts';

/** The queues of a deployment: an SQS client, and the URLs by name. The dead-letter queue of `roomEvents` is `roomEventsDlq`. */
export type DeploymentQueues = {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly queues: Readonly<Record<string, string>>;
};

/** The number of messages in a queue, and of dead letters in its dead-letter queue. */
type QueueCount = { readonly queue: string; readonly messages: number; readonly deadLetters: QueueDepth };

const suffix = 'Dlq';
/** The most messages that SQS returns at once. */
const maxBatch = 10;
/** How long a received dead letter is hidden from every reader. */
export const visibilityTimeoutSeconds = 30;
/**
 * Returns after how many empty responses in a row to stop. A receive call asks only some of the SQS servers, so one empty
 * response does not prove that a queue is empty, unless all messages that SQS counts as visible were received.
 */
function maxEmptyResponses({ total, hidden }: QueueDepth, received: number): number {
  return total > 0 && received >= total - hidden ? 1 : 3;
}

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
      messages: (await depthOf(deployment, queue)).total,
      deadLetters: await depthOf(deployment, `${queue}${suffix}`),
    })),
  );
}

/**
 * Reads up to `maximum` dead letters of a queue without removing them. No reader sees them again for 30 seconds. `hidden`
 * counts those that SQS did not return for this reason.
 */
export async function peekDeadLetters(
  deployment: DeploymentQueues,
  queue: string,
  maximum: number,
): Promise<{ readonly messages: Message[]; readonly hidden: number }> {
  const depth = await depthOf(deployment, `${queue}${suffix}`);
  const found = new Map<string | undefined, Message>();
  for (let empty = 0; empty < maxEmptyResponses(depth, found.size) && found.size < maximum; ) {
    const messages = await receive(deployment, queue);
    for (const message of messages) found.set(message.MessageId, message);
    empty = messages.length === 0 ? empty + 1 : 0;
  }
  const hidden = found.size < maximum ? Math.max(0, depth.total - found.size) : 0;
  return { messages: [...found.values()].slice(0, maximum), hidden };
}

/**
 * Moves the dead letters that exist at the start back to their queue. `moved` counts them, and `hidden` those that SQS did
 * not return, because someone received them in the last 30 seconds. Each one is sent before it is deleted, so an
 * interruption can send one message twice. All workers accept repeated messages.
 */
export async function redriveDeadLetters(
  deployment: DeploymentQueues,
  queue: string,
  onMoved: (moved: number, total: number) => void = () => {},
): Promise<{ readonly moved: number; readonly hidden: number }> {
  const depth = await depthOf(deployment, `${queue}${suffix}`);
  const { total } = depth;
  let moved = 0;
  // The count is approximate and may be 0 while there are messages.
  for (let empty = 0; empty < maxEmptyResponses(depth, moved) && (total === 0 || moved < total); ) {
    const messages = await receive(deployment, queue);
    empty = messages.length === 0 ? empty + 1 : 0;
    moved += await moveBack(deployment, queue, messages);
    onMoved(moved, Math.max(moved, total));
  }
  return { moved, hidden: Math.max(0, total - moved) };
}

function depthOf({ sqs, queues }: DeploymentQueues, name: string): Promise<QueueDepth> {
  return queueDepth(sqs, queues[name] ?? '');
}

async function receive({ sqs, queues }: DeploymentQueues, queue: string): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queues[`${queue}${suffix}`],
      MaxNumberOfMessages: maxBatch,
      VisibilityTimeout: visibilityTimeoutSeconds,
      WaitTimeSeconds: 1,
      MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount', 'MessageGroupId'],
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages;
}

/** Sends messages one at a time, because ten of them can exceed the size limit of a batch. Each keeps its group and the time when it was first sent. */
async function moveBack(
  { sqs, queues }: DeploymentQueues,
  queue: string,
  messages: readonly Message[],
): Promise<number> {
  for (const { Body, MessageAttributes, ReceiptHandle, Attributes } of messages) {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queues[queue],
        MessageBody: Body,
        MessageAttributes: {
          [firstSentAttribute]: { DataType: 'Number', StringValue: Attributes?.SentTimestamp },
          ...MessageAttributes, // a message that was redriven before has the attribute already
        },
        MessageGroupId: Attributes?.MessageGroupId,
      }),
    );
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queues[`${queue}${suffix}`], ReceiptHandle }));
  }
  return messages.length;
}
