import type { SQSRecord } from 'aws-lambda';
import { idsOf, type Refusal } from '../contracts/message-ids.ts';
import { UnreadableMessage } from '../runtime/errors.ts';
import { queuedAtOf } from './arrival.ts';

/** The refusal of a message, or undefined if it failed for another reason, or names no organization. */
export function refusalOf(
  record: Pick<SQSRecord, 'body' | 'messageId' | 'attributes' | 'messageAttributes'>,
  error: unknown,
): Refusal | undefined {
  if (!(error instanceof UnreadableMessage)) return undefined;
  const { organizationId, webhookId: _, ...ids } = idsOf(record.body); // an event has no webhook
  if (organizationId === undefined) return undefined;
  const { messageId, attributes } = record;
  const receives = Number(attributes.ApproximateReceiveCount);
  return { ...ids, organizationId, messageId, sentAt: queuedAtOf(record), receives, issues: error.issues };
}
