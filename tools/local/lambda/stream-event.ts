import type { AttributeValue, _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import { region } from '#tools/shared/client-settings.ts';
import { largestRequestBytes } from './payload-limits.ts';

/** A record of a stream in the form in which Lambda passes it to a function. */
export type FunctionRecord = {
  readonly eventID: string | undefined;
  readonly eventName: string | undefined;
  readonly eventVersion: string | undefined;
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly dynamodb: {
    /** Epoch seconds. */
    readonly ApproximateCreationDateTime: number;
    readonly SequenceNumber: string;
    readonly [field: string]: unknown;
  };
  readonly eventSourceARN: string;
};

/**
 * Converts a record. Region, time and ARN become those that AWS sends: Dynoxide and DynamoDB Local have names of their own, and binary
 * values are base64.
 */
export function functionRecord(
  { eventID, eventName, eventVersion, dynamodb = {} }: StreamRecord,
  eventSourceARN: string,
): FunctionRecord {
  const { ApproximateCreationDateTime, SequenceNumber = '', Keys, NewImage, OldImage, ...rest } = dynamodb;
  // Dynoxide writes the time as ISO text. The SDK parses it to a date, as it parses epoch seconds.
  const seconds = Math.floor(new Date(ApproximateCreationDateTime ?? 0).getTime() / 1000);
  return {
    eventID,
    eventName,
    eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: seconds,
      ...(Keys && { Keys: image(Keys) }),
      ...(NewImage && { NewImage: image(NewImage) }),
      ...(OldImage && { OldImage: image(OldImage) }),
      SequenceNumber,
      ...rest,
    },
    eventSourceARN,
  };
}

/** How many of the first records make one event: at most so many, and so few that Lambda accepts their event. At least one. */
export function batchLength(records: readonly FunctionRecord[], largestLength: number): number {
  let bytes = Buffer.byteLength('{"Records":[]}');
  const tooLarge = records.findIndex((record) => {
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1; // and its comma
    return bytes > largestRequestBytes;
  });
  return Math.min(largestLength, tooLarge === -1 ? records.length : Math.max(1, tooLarge));
}

/** When a record was written, in epoch milliseconds. */
export function writtenAt({ dynamodb }: FunctionRecord): number {
  return dynamodb.ApproximateCreationDateTime * 1000;
}

function image(attributes: Readonly<Record<string, AttributeValue>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: AttributeValue): unknown {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(plainValue) };
  if (value.M) return { M: image(value.M) };
  return value;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
