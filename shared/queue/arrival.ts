import type { SQSRecord } from 'aws-lambda';
import { firstSentAttribute, queuedAttribute } from '../runtime/names.ts';

/** A message cannot be older: it can wait for 14 days from its sending, also as a dead letter, and again after each of three redrives. */
const maxAgeMs = 60 * 24 * 60 * 60 * 1000;

type Dated = Pick<SQSRecord, 'attributes' | 'messageAttributes'>;

/** When the message was first sent, before any redrive. SQS gives a redriven message a new time, so our redrive keeps the first one. */
export const arrivalOf = (record: Dated): Date => timeOf(record, firstSentAttribute);

/** When the message came into its queue: when it was sent or last redriven, and not when a worker sent it back. */
export const queuedAtOf = (record: Dated): Date => timeOf(record, queuedAttribute);

/** The time in an attribute, or that of the message. A time that cannot be true is ignored, because every sender can set it. */
function timeOf({ attributes, messageAttributes }: Dated, attribute: string): Date {
  const sentAt = Number(attributes.SentTimestamp);
  const claimed = Number(messageAttributes?.[attribute]?.stringValue);
  return new Date(claimed <= sentAt && claimed > sentAt - maxAgeMs ? claimed : sentAt);
}
