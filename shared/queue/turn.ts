import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { arrivalOf } from './arrival.ts';
import { entrySender, firstSent } from './send.ts';

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
 * True if the messages may go to the end of the queue as new ones. One that was received before may have failed, and would lose the count of
 * its receives, after which it becomes a dead letter.
 */
export function mayGoBack(messages: readonly Delivered[]): boolean {
  return messages.every(({ record }) => record.attributes.ApproximateReceiveCount === '1');
}

/** Sends messages to the end of their queue as new ones, in the groups of their tenants. They keep the time of their arrival. */
export async function sendBack(
  sqs: Pick<SQSClient, 'send'>,
  queueUrl: string,
  messages: readonly Delivered[],
): Promise<void> {
  const entries = messages.map(({ record, tenant }) => ({
    MessageBody: record.body,
    MessageGroupId: tenant,
    MessageAttributes: firstSent(arrivalOf(record)),
  }));
  await entrySender(sqs, queueUrl)(entries);
}
