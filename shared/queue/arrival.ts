import type { SQSRecord } from 'aws-lambda';
import { firstSentAttribute } from '../names.ts';

/** A message cannot be older: it can wait for 14 days from its sending, also as a dead letter, and again after each of three redrives. */
const maxAgeMs = 60 * 24 * 60 * 60 * 1000;

/**
 * When the message was first sent. SQS gives a redriven message a new time, so our redrive keeps the first one in an attribute.
 * An attribute that cannot be true is ignored, because every sender can set it.
 */
export function arrivalOf({
  attributes,
  messageAttributes,
}: Pick<SQSRecord, 'attributes' | 'messageAttributes'>): Date {
  const sentAt = Number(attributes.SentTimestamp);
  const firstSentAt = Number(messageAttributes?.[firstSentAttribute]?.stringValue);
  return new Date(firstSentAt <= sentAt && firstSentAt > sentAt - maxAgeMs ? firstSentAt : sentAt);
}
