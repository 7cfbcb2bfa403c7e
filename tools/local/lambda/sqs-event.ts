import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSMessageAttribute, SQSRecord } from 'aws-lambda';
import { region } from '#tools/shared/client-settings.ts';
import { largestRequestBytes } from './payload-limits.ts';

/** The event with which Lambda passes a batch of messages to a function. */
export function sqsEvent(messages: readonly Message[], queueArn: string): SQSEvent {
  return { Records: messages.map((message) => record(message, queueArn)) };
}

/** The size of this event. */
export function eventBytes(messages: readonly Message[], queueArn: string): number {
  return Buffer.byteLength(JSON.stringify(sqsEvent(messages, queueArn)));
}

/** Splits messages into batches whose events Lambda accepts. A message takes at most 1 MiB. */
export function withinPayload(messages: readonly Message[], queueArn: string): Message[][] {
  const batches: Message[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const added = eventBytes([message], queueArn);
    if (bytes + added > largestRequestBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(message);
    bytes += added;
  }
  return batches;
}

function record(message: Message, eventSourceARN: string): SQSRecord {
  const {
    MessageId = '',
    ReceiptHandle = '',
    Body = '',
    MD5OfBody = '',
    Attributes = {},
    MessageAttributes = {},
  } = message;
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: {
      ...Attributes,
      ApproximateReceiveCount: Attributes.ApproximateReceiveCount ?? '1',
      SentTimestamp: Attributes.SentTimestamp ?? '0',
      SenderId: Attributes.SenderId ?? '',
      ApproximateFirstReceiveTimestamp: Attributes.ApproximateFirstReceiveTimestamp ?? '0',
    },
    messageAttributes: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, value]) => [name, messageAttribute(value)]),
    ),
    md5OfBody: MD5OfBody,
    ...(message.MD5OfMessageAttributes !== undefined && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: region,
  };
}

function messageAttribute({ StringValue, BinaryValue, DataType }: MessageAttributeValue): SQSMessageAttribute {
  return {
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
    stringListValues: [],
    binaryListValues: [],
    dataType: (DataType ?? 'String') as SQSMessageAttribute['dataType'], // SQS has no other types
  };
}
