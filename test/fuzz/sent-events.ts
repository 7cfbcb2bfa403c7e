import { DeleteMessageBatchCommand, ReceiveMessageCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { asciiJson } from '#shared/runtime/ascii-json.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { endpoints, sqs } from '../support/machine.ts';
import type { AnyEvent } from './event-rules.ts';

/** An event in a queue. */
export type SentEvent = { readonly event: AnyEvent; readonly messageId: string; readonly sentAt: number };

const queues = ['roomEvents', 'networkSamples'] as const;

/** Sends each event to its queue, ten at a time. Throws if a queue does not accept one. */
export async function sendAll(events: readonly AnyEvent[]): Promise<SentEvent[]> {
  const byQueue = Map.groupBy(
    events,
    ({ type }) => queues[type === 'room.client.sampled' || type === 'room.client.spoke' ? 1 : 0],
  );
  const batches = [...byQueue].flatMap(([queue, its]) => {
    const [large, usual] = [its.filter(isLarge), its.filter((event) => !isLarge(event))];
    return [...chunk(large, 1), ...chunk(usual, 10)].map((batch) => ({ queue, batch }));
  });
  const sent: SentEvent[] = [];
  await inParallel(batches, 4, async ({ queue, batch }) => {
    const Entries = batch.map((event, index) => ({
      Id: String(index),
      MessageBody: asciiJson(event),
      ...(isGroup(event.organizationId) && { MessageGroupId: event.organizationId }),
    }));
    const command = new SendMessageBatchCommand({ QueueUrl: endpoints.queues[queue], Entries });
    const { Successful = [], Failed = [] } = await sqs.send(command);
    if (Failed.length > 0) throw new Error(`The queue ${queue} did not accept an event: ${Failed[0]?.Message}`);
    for (const { Id, MessageId = '' } of Successful)
      sent.push({ event: batch[Number(Id)] as AnyEvent, messageId: MessageId, sentAt: Date.now() });
  });
  return sent;
}

/** A batch can have a mebibyte. */
function isLarge(event: AnyEvent): boolean {
  return asciiJson(event).length > 50_000;
}

function isGroup(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}

/** Takes the dead letters that are there now, and returns the ids of their messages. */
export async function takeDeadLetterIds(): Promise<string[]> {
  const ids: string[] = [];
  for (const queue of queues) {
    const QueueUrl = endpoints.queues[`${queue}Dlq`];
    for (;;) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      if (Messages.length === 0) break;
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      ids.push(...Messages.map(({ MessageId = '' }) => MessageId));
    }
  }
  return ids;
}
