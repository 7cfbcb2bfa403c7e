import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { TimeBounds } from '#shared/domain/insights/event-times.ts';

/** The parts of a message that a test can set. */
export type MessageFacts = { readonly messageId?: string; readonly receiveCount?: number; readonly sentAt?: Date };

/** Bounds within which tests may use fixed dates. */
export const anyTime: TimeBounds = { daysAhead: 36_500, daysBack: 36_500 };

/** A message as Lambda passes it to a worker. A body that is not text is sent as JSON. */
export function sqsRecord(
  body: unknown,
  { messageId = 'message-1', receiveCount = 1, sentAt = new Date() }: MessageFacts = {},
): SQSRecord {
  return {
    messageId,
    receiptHandle: `receipt of ${messageId}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentAt.getTime()),
      SenderId: 'fixture',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-west-1:123456789012:fixture',
    awsRegion: 'eu-west-1',
  };
}

/** A batch of messages with distinct ids. */
export function sqsEvent(...bodies: readonly unknown[]): SQSEvent {
  return { Records: bodies.map((body, index) => sqsRecord(body, { messageId: `message-${index + 1}` })) };
}
