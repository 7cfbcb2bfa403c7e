import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { firstSentAttribute, queuedAttribute } from '../shared/runtime/names.ts';
import type { RefusedReasons } from '../shared/storage/platforms/refused-events.ts';
import { type QueueDepth, queueDepth } from '../tools/shared/queue-depth.ts';

/** The queues of a deployment: an SQS client, and the URLs by name. The dead-letter queue of `roomEvents` is `roomEventsDlq`. */
export type DeploymentQueues = {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly queues: Readonly<Record<string, string>>;
  /** Reads why an event was refused. Undefined if the deployment has no list of refused events. */
  readonly refusedReasons?: RefusedReasons | undefined;
};

/** The number of messages in a queue, and of dead letters in its dead-letter queue. */
type QueueCount = { readonly queue: string; readonly messages: number; readonly deadLetters: QueueDepth };

const suffix = 'Dlq';
/** The most messages that SQS returns at once. */
const maxBatch = 10;
/** The most attributes of a message. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html */
const maxAttributes = 10;
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

/** How many messages were moved, and how many of them without the time when they were first sent. */
type Moved = { readonly moved: number; readonly undated: number };

/**
 * Moves the dead letters that exist at the start back to their queue. `moved` counts them, `undated` those that had no room for
 * the time when they were first sent, and `hidden` those that SQS did not return, because someone received them in the last 30 seconds. Each one is sent before it is deleted, so an
 * interruption can send one message twice. All workers accept repeated messages.
 */
export async function redriveDeadLetters(
  deployment: DeploymentQueues,
  queue: string,
  onMoved: (moved: number, total: number) => void = () => {},
): Promise<Moved & { readonly hidden: number }> {
  const depth = await depthOf(deployment, `${queue}${suffix}`);
  const { total } = depth;
  let [moved, undated] = [0, 0];
  // The count is approximate and may be 0 while there are messages.
  for (let empty = 0; empty < maxEmptyResponses(depth, moved) && (total === 0 || moved < total); ) {
    const messages = await receive(deployment, queue);
    empty = messages.length === 0 ? empty + 1 : 0;
    const batch = await moveBack(deployment, queue, messages);
    moved += batch.moved;
    undated += batch.undated;
    onMoved(moved, Math.max(moved, total));
  }
  return { moved, undated, hidden: Math.max(0, total - moved) };
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

/** Sends messages one at a time, because ten of them can exceed the size limit of a batch, and then deletes each. */
async function moveBack(
  { sqs, queues }: DeploymentQueues,
  queue: string,
  messages: readonly Message[],
): Promise<Moved> {
  let undated = 0;
  for (const message of messages) {
    const isDated = await sendBack(sqs, queues[queue], message);
    if (!isDated) undated += 1;
    const { ReceiptHandle } = message;
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queues[`${queue}${suffix}`], ReceiptHandle }));
  }
  return { moved: messages.length, undated };
}

/**
 * Sends a message in its group, with the time when it was first sent, and without that when it came into the queue before. If that attribute would exceed a limit of SQS, it sends the
 * message without, and returns false.
 */
async function sendBack(
  sqs: DeploymentQueues['sqs'],
  QueueUrl: string | undefined,
  { Body, MessageAttributes: { [queuedAttribute]: _, ...kept } = {}, Attributes }: Message,
): Promise<boolean> {
  const firstSent = { DataType: 'Number', StringValue: Attributes?.SentTimestamp };
  const send = (attributes: Message['MessageAttributes']) =>
    sqs.send(
      new SendMessageCommand({
        ...{ QueueUrl, MessageBody: Body, MessageGroupId: Attributes?.MessageGroupId },
        MessageAttributes: attributes,
      }),
    );
  const dated = { [firstSentAttribute]: firstSent, ...kept }; // a redriven message has the attribute already
  const isUnchanged = firstSentAttribute in kept;
  try {
    if (isUnchanged || Object.keys(dated).length <= maxAttributes) {
      await send(dated);
      return true;
    }
  } catch (error) {
    if (isUnchanged || !isTooLarge(error)) throw error;
  }
  await send(kept);
  return false;
}

/** SQS has no code of its own for a message that is too large with its attributes. The local SQS puts a prefix before the code. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /(^|\.)InvalidParameterValue$/.test(error.name);
}
