import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { firstSentAttribute, queuedAttribute } from '../runtime/names.ts';
import { arrivalOf, queuedAtOf } from './arrival.ts';
import { entrySender, maxBatchBytes, timeAttribute } from './send.ts';

/** A message of a batch, and its tenant: its message group, or the organization if its sender set none. */
export type Delivered = { readonly record: SQSRecord; readonly tenant: string };

/**
 * The order in which a batch starts its lanes: tenants take turns, so a single message of one organization does not wait for a hundred of
 * another that are in its batch. A lane counts as that of its first message.
 */
export function byTurns<Lane extends readonly Delivered[]>(lanes: Iterable<Lane>): Lane[] {
  const tenants = [...Map.groupBy(lanes, ([first]) => first?.tenant).values()];
  const rounds = Math.max(0, ...tenants.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => tenants.flatMap((own) => own.slice(round, round + 1))).flat();
}

/**
 * True if the messages may wait for another turn. One that came before may not: as a new message it would lose the count of its receives.
 * Nor may one of about 1 MiB: the queue would not take it back with its times.
 */
export function mayWait(messages: readonly Delivered[]): boolean {
  return messages.every(
    ({ record: { attributes, body } }) =>
      attributes.ApproximateReceiveCount === '1' && Buffer.byteLength(body) <= maxBatchBytes,
  );
}

/**
 * Sends messages to the end of their queue as new ones, in the groups of their tenants. They keep their times. Returns the new ids of those that the queue
 * took, and why it did not take the others.
 */
export async function sendBack<Message extends Delivered>(
  sqs: Pick<SQSClient, 'send'>,
  queueUrl: string,
  messages: readonly Message[],
): Promise<{ readonly sent: ReadonlyMap<Message, string | undefined>; readonly error: unknown }> {
  const sent = new Map<Message, string | undefined>();
  const entries = messages.map(({ record, tenant }) => ({
    MessageBody: record.body,
    MessageGroupId: tenant,
    MessageAttributes: {
      ...timeAttribute(firstSentAttribute, arrivalOf(record)),
      ...timeAttribute(queuedAttribute, queuedAtOf(record)),
    },
  }));
  const onAccepted = (place: number, messageId: string | undefined) => {
    for (const message of messages.slice(place, place + 1)) sent.set(message, messageId);
  };
  try {
    await entrySender(sqs, queueUrl, onAccepted)(entries);
    return { sent, error: undefined };
  } catch (error) {
    return { sent, error };
  }
}
