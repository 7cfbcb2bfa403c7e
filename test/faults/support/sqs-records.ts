import { randomUUID } from 'node:crypto';
import type { Message } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';

/** Records for bodies that were never in a queue. */
export function recordsOf(bodies: readonly string[]): object[] {
  return bodies.map((body) => ({ messageId: randomUUID(), receiptHandle: 'none', body }));
}

/** The record that Lambda creates from a message. */
export function toRecord({ MessageId, ReceiptHandle, Body, Attributes }: Message): object {
  return { messageId: MessageId, receiptHandle: ReceiptHandle, body: Body, attributes: Attributes };
}

/** The event that Lambda invokes a worker with. */
export function toEvent(records: readonly object[]): SQSEvent {
  return {
    Records: records.map((record) => ({
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
      ...record,
    })),
  } as unknown as SQSEvent;
}
