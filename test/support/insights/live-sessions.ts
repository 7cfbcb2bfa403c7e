import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import { eventually } from '../eventually.ts';
import { clientOf, read } from '../http/checked-api.ts';
import { endpoints, invoke, logOf, s3, sqs } from '../machine.ts';

/** After this many receives, a message becomes a dead letter. */
const maxReceives = 5;

/** An event of the platform about a live transcription. */
export type LiveEvent = {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  readonly createdAt: string;
  readonly data: object;
};

/** A live session of ten minutes: the API path of its transcription, the keys of its files, and the events of the platform. */
export function liveSession(
  organizationId: string,
  {
    roomName = '/daily',
    startDate = '2026-03-01T09:00:00.000Z',
    roomSessionId = randomUUID() as string,
    transcriptionId = randomUUID() as string,
  } = {},
) {
  const end = new Date(Date.parse(startDate) + 600_000).toISOString();
  const identity = { transcriptionId, roomName, roomSessionId, startDate };
  const event = (type: string, createdAt: string, data: object): LiveEvent => ({
    id: randomUUID(),
    type: `transcription.${type}`,
    organizationId,
    createdAt,
    data: { ...identity, ...data },
  });
  return {
    transcriptionId,
    path: `/v1/transcriptions/${transcriptionId}`,
    key: (file: string) => `live/${organizationId}/${transcriptionId}/${file}`,
    started: () => event('started', startDate, {}),
    finished: (facts: object = {}) =>
      event('finished', end, { endDate: end, durationInSeconds: 600, storageType: 'SELF_HOSTED', ...facts }),
    failed: (facts: object = {}) =>
      event('failed', end, { endDate: end, error: 'The captions engine died.', ...facts }),
  };
}

/** Sends events or arbitrary texts to the room-events queue. Returns the message ids. */
export async function sendToRoomEvents(messages: readonly (object | string)[]): Promise<string[]> {
  const QueueUrl = endpoints.queues.roomEvents;
  const ids: string[] = [];
  for (let from = 0; from < messages.length; from += 10) {
    const Entries = messages.slice(from, from + 10).map((message, index) => ({
      Id: String(index),
      MessageBody: typeof message === 'string' ? message : asciiJson(message),
    }));
    const { Successful = [], Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) throw new Error(`The queue rejected a message: ${Failed[0]?.Message}`);
    ids.push(...Successful.flatMap(({ MessageId }) => MessageId ?? []));
  }
  return ids;
}

/** Waits until the worker has processed each of these messages of its queue: done it once, or failed it until it is a dead letter. */
export async function processed(worker: string, messageIds: readonly string[]): Promise<void> {
  await eventually(async () => {
    const lines = (await logOf(worker)).split('\n').filter((line) => line.includes('"messageId"'));
    const left = messageIds.filter((id) => {
      const own = lines.filter((line) => line.includes(id));
      const failures = own.filter((line) => line.includes('"message failed"')).length;
      return failures < maxReceives && !own.some((line) => line.includes('"message done"'));
    });
    if (left.length > 0) throw new Error(`${worker} has not processed ${left.length} messages yet.`);
  }, 60_000);
}

/** Equivalent JSON in ASCII: unlike AWS, the local SQS (fauxqs 2.4.1) rejects emoji in a message. */
export function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Invokes a worker directly with messages as one batch. Returns the number of messages to retry. */
export async function deliver(worker: string, messages: readonly (object | string)[]): Promise<number> {
  const Records = messages.map((message) => ({
    messageId: randomUUID(),
    receiptHandle: 'none',
    body: typeof message === 'string' ? message : JSON.stringify(message),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
  }));
  const { batchItemFailures } = (await invoke(worker, { Records })) as { readonly batchItemFailures: unknown[] };
  return batchItemFailures.length;
}

/** Waits until the transcription exists, or has the given state, and returns it. */
export function known(organizationId: string, path: string, state?: Transcription['state']): Promise<Transcription> {
  return eventually(async () => {
    const transcription = read(Transcription, await clientOf(organizationId)('GET', path));
    if (state && transcription.state !== state) throw new Error(`The transcription is ${transcription.state}.`);
    return transcription;
  }, 30_000);
}

/** Writes a live transcript to the transcripts bucket, as the platform does. Returns its location. */
export async function keepTranscript(
  key: string,
  body: string,
): Promise<{ readonly bucket: string; readonly key: string }> {
  const bucket = String(endpoints.buckets.transcripts);
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  return { bucket, key };
}
