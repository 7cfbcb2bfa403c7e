import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import type { OrganizationId } from '../contracts/organization/organization.ts';
import { asciiJson } from '../runtime/ascii-json.ts';
import { chunk } from '../runtime/chunk.ts';
import { firstSentAttribute } from '../runtime/names.ts';
import { retry, tryAgain } from '../runtime/retry.ts';

const batchSize = 10;
/** SQS takes at most 1 MiB in one call, including the attributes, of which this leaves room for some. */
export const maxBatchBytes = 1_000_000;
const parallelBatches = 8;
const maxAttempts = 4;
const maxPauseMs = 50;

/** Sends messages of one kind to one queue. */
export type MessageSender<Message> = {
  /**
   * Resolves when the queue holds every message, and throws otherwise. The messages belong to the organization: it is their
   * group, by which SQS serves the queue fairly, unless `group` names another one.
   */
  send(organizationId: OrganizationId, messages: readonly Message[], options?: SendOptions): Promise<void>;
};

type SendOptions = {
  /** At most 900. */
  readonly delaySeconds?: number;
  readonly group?: string;
  /** When what the messages say arrived, if that was before now. Their reader takes it for the time of their arrival. */
  readonly firstSentAt?: Date;
};

/**
 * Sends entries to one queue, in as few calls as SQS allows, and those again that SQS refuses. Gives each entry its id. Says which entry
 * the queue accepted, by its place among them, and as which message. Throws if it did not accept every entry, and then knows the fate of each.
 */
export function entrySender(
  sqs: Pick<SQSClient, 'send'>,
  queueUrl: string,
  onAccepted: (place: number, messageId: string | undefined) => void = () => {},
) {
  const sendBatch = async (batch: readonly SendMessageBatchRequestEntry[]) => {
    let entries = batch;
    const sendRest = async () => {
      const { Failed = [], Successful = [] } = await sqs.send(
        new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...entries] }),
      );
      const failedIds = new Set(Failed.map(({ Id }) => Id));
      const messageIds = new Map(Successful.map(({ Id, MessageId }) => [Id, MessageId]));
      for (const { Id } of entries) if (!failedIds.has(Id)) onAccepted(Number(Id), messageIds.get(Id));
      entries = entries.filter(({ Id }) => failedIds.has(Id));
      return entries.length > 0 ? tryAgain : undefined;
    };
    await retry(sendRest, {
      maxAttempts,
      maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
      exhausted: 'SQS did not accept every message.',
    });
  };
  return async (entries: readonly Omit<SendMessageBatchRequestEntry, 'Id'>[]): Promise<void> => {
    const batches = batchesOf(entries.map((entry, index) => ({ Id: String(index), ...entry })));
    for (const parallel of chunk(batches, parallelBatches)) {
      const outcomes = await Promise.allSettled(parallel.map(sendBatch));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    }
  };
}

/** Keeps a time in an attribute of a message. */
export function timeAttribute(name: string, at: Date) {
  return { [name]: { DataType: 'Number', StringValue: String(at.getTime()) } };
}

/** A sender of one kind of messages to one queue. */
export function messageSender<Message>(sqs: Pick<SQSClient, 'send'>, queueUrl: string): MessageSender<Message> {
  const sendEntries = entrySender(sqs, queueUrl);
  return {
    async send(organizationId, messages, { delaySeconds, group = organizationId, firstSentAt } = {}) {
      const entries = messages.map((message) => ({
        MessageBody: asciiJson(message),
        MessageGroupId: group,
        ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
        ...(firstSentAt && { MessageAttributes: timeAttribute(firstSentAttribute, firstSentAt) }),
      }));
      await sendEntries(entries);
    },
  };
}

/** Splits entries into batches that SQS takes in one call, in order. */
function batchesOf(entries: readonly SendMessageBatchRequestEntry[]): SendMessageBatchRequestEntry[][] {
  const batches: SendMessageBatchRequestEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = Buffer.byteLength(JSON.stringify([entry.MessageBody, entry.MessageAttributes]));
    const last = batches.at(-1);
    if (last && last.length < batchSize && bytes + size <= maxBatchBytes) {
      last.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
}
