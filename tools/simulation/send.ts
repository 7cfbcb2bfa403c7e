import { setTimeout as delay } from 'node:timers/promises';
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { asciiJson } from '#shared/runtime/ascii-json.ts';
import { clientSettings } from '../shared/client-settings.ts';
import type { Endpoints } from '../shared/endpoints.ts';
import { type PlatformEvent, queueOf } from './events.ts';
import { inParallel } from './in-parallel.ts';

/** Where to send events, and how to report progress. */
export type SendOptions = {
  readonly endpoints: Pick<Endpoints, 'sqsUrl' | 'queues'>;
  /** Called with the number of sent events. */
  readonly onProgress?: (sent: number) => void;
  readonly signal?: AbortSignal;
  /** A client to use instead of a new one. */
  readonly sqs?: Pick<SQSClient, 'send' | 'destroy'>;
};

type Batch = { readonly queueUrl: string; readonly entries: readonly SendMessageBatchRequestEntry[] };

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
const maxEntries = 10;
const maxBatchBytes = 262_144; // every SQS accepts this size; AWS accepts more
const parallelBatches = 4;
const maxAttempts = 6;
const pauseMs = 100;

/** Sends each event to its queue in order, a few batches in parallel. Throws if a queue refuses one. */
export async function sendEvents(
  events: readonly PlatformEvent[],
  { endpoints, onProgress, signal, sqs = new SQSClient(clientSettings(endpoints.sqsUrl)) }: SendOptions,
): Promise<void> {
  const batches = batchesOf(events, endpoints.queues);
  let sent = 0;
  try {
    await inParallel(batches, parallelBatches, async (batch) => {
      await sendBatch(sqs, batch, signal);
      sent += batch.entries.length;
      onProgress?.(sent);
    });
  } finally {
    sqs.destroy();
  }
}

function batchesOf(events: readonly PlatformEvent[], queues: Endpoints['queues']): Batch[] {
  const byQueue = Map.groupBy(events, queueOf);
  return [...byQueue].flatMap(([queue, itsEvents]) => {
    const queueUrl = queues[queue];
    if (queueUrl === undefined) throw new Error(`There is no queue "${queue}".`);
    const messages = itsEvents.map((event) => ({
      MessageBody: asciiJson(event),
      MessageGroupId: event.organizationId,
    }));
    return chunksOf(messages).map((chunk) => ({
      queueUrl,
      entries: chunk.map((message, index) => ({ Id: String(index), ...message })),
    }));
  });
}

/** Splits messages into lists that fit into one batch. The bodies are ASCII, so their length is their size. */
function chunksOf<Message extends { readonly MessageBody: string }>(messages: readonly Message[]): Message[][] {
  const chunks: Message[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const { length } = message.MessageBody;
    const last = chunks.at(-1);
    if (last && last.length < maxEntries && bytes + length <= maxBatchBytes) {
      last.push(message);
      bytes += length;
    } else {
      chunks.push([message]);
      bytes = length;
    }
  }
  return chunks;
}

/** Sends a batch, and retries refused entries. */
async function sendBatch(
  sqs: Pick<SQSClient, 'send'>,
  { queueUrl, entries }: Batch,
  signal?: AbortSignal,
): Promise<void> {
  let left = [...entries];
  for (let attempt = 1; left.length > 0; attempt++) {
    const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left });
    const { Failed = [] } = await sqs.send(command, signal && { abortSignal: signal });
    const refused = new Set(Failed.map(({ Id }) => Id));
    left = left.filter(({ Id }) => refused.has(Id));
    if (left.length > 0 && attempt === maxAttempts) {
      throw new Error(`${queueUrl} refused ${left.length} of the events: ${Failed[0]?.Message}`);
    }
    if (left.length > 0) await delay(pauseMs * attempt, undefined, signal && { signal });
  }
}
