import type { SQSRecord } from 'aws-lambda';
import { idsOf, type Refusal } from '../contracts/message-ids.ts';
import { UnreadableMessage } from '../errors.ts';

/** The refusal of a message, or undefined if it failed for another reason, or names no organization. */
export function refusalOf(
  { body, messageId, attributes }: Pick<SQSRecord, 'body' | 'messageId' | 'attributes'>,
  error: unknown,
): Refusal | undefined {
  if (!(error instanceof UnreadableMessage)) return undefined;
  const { organizationId, webhookId: _, ...ids } = idsOf(body); // an event has no webhook
  if (organizationId === undefined) return undefined;
  const sentAt = new Date(Number(attributes.SentTimestamp));
  const receives = Number(attributes.ApproximateReceiveCount);
  return { ...ids, organizationId, messageId, sentAt, receives, issues: error.issues };
}
