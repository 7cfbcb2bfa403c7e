import { setTimeout as delay } from 'node:timers/promises';
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '../shared/client-settings.ts';
import type { Endpoints } from '../shared/endpoints.ts';
import { type PlatformEvent, queueOf } from './events.ts';
import { inParallel } from './in-parallel.ts';

/** Where to send, and who wants to know how far it is. */
export type SendOptions = {
  readonly endpoints: Pick<Endpoints, 'sqsUrl' | 'queues'>;
  /** Called with the number of events that the queues hold by now. */
  readonly onProgress?: (sent: number) => void;
  readonly signal?: AbortSignal;
  /** Instead of a client of its own. */
  readonly sqs?: Pick<SQSClient, 'send' | 'destroy'>;
};

type Batch = { readonly queueUrl: string; readonly entries: readonly SendMessageBatchRequestEntry[] };

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
const maxEntries = 10;
const maxBatchBytes = 262_144; // what every SQS takes; AWS itself takes more
const parallelBatches = 4;
const maxAttempts = 6;
const pauseMs = 100;

/** Sends each event to its queue, in this order but for a few batches in parallel; throws where a queue does not take one. */
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

/** JSON that says the same in ASCII: unlike AWS, the SQS of this machine (fauxqs 2.4.1) refuses emoji in a message. */
export function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function batchesOf(events: readonly PlatformEvent[], queues: Endpoints['queues']): Batch[] {
  const byQueue = Map.groupBy(events, queueOf);
  return [...byQueue].flatMap(([queue, itsEvents]) => {
    const queueUrl = queues[queue];
    if (queueUrl === undefined) throw new Error(`There is no queue "${queue}".`);
    return chunksOf(itsEvents.map(asciiJson)).map((bodies) => ({
      queueUrl,
      entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
    }));
  });
}

/** Lists of as many texts as one batch takes. The texts are ASCII, so their length is their size. */
function chunksOf(bodies: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let bytes = 0;
  for (const body of bodies) {
    const last = chunks.at(-1);
    if (last && last.length < maxEntries && bytes + body.length <= maxBatchBytes) {
      last.push(body);
      bytes += body.length;
    } else {
      chunks.push([body]);
      bytes = body.length;
    }
  }
  return chunks;
}

/** Refused entries are sent again. */
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
      throw new Error(`${queueUrl} does not take ${left.length} of the events: ${Failed[0]?.Message}`);
    }
    if (left.length > 0) await delay(pauseMs * attempt, undefined, signal && { signal });
  }
}
