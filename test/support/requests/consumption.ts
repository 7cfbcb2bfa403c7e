import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Consumption, unitsOfRefusedItem, writeCommand } from '../storage/capacity-meter.ts';
import type { Call } from './stand-in.ts';

/** What an invocation consumes: calls to DynamoDB with their units, and how often it calls other services, by their names. */
export type Consumed = Consumption & { readonly others: string };

/** The consumption of an invocation, whose calls a metered stand-in has recorded. */
export function consumedBy(calls: readonly Call[]): Consumed {
  const ofDynamoDb = calls.filter(({ service }) => service === 'dynamodb');
  const units = (areWrites: boolean) =>
    ofDynamoDb
      .filter(({ operation = '' }) => writeCommand.test(operation) === areWrites)
      .reduce((sum, call) => sum + unitsOf(call), 0);
  const names = calls.filter(({ service }) => service !== 'dynamodb').map(otherName);
  const others = Map.groupBy(names.toSorted(), (name) => name);
  const counted = [...others].map(([name, { length }]) => (length === 1 ? name : `${length} ${name}`));
  return {
    ...{ calls: ofDynamoDb.length, reads: units(false), writes: units(true) },
    others: counted.join(', ') || '–',
  };
}

type Item = Parameters<typeof unmarshall>[0];
type DynamoDbAnswer = {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
  readonly __type?: string;
  readonly Item?: Item;
};

/** The units that DynamoDB tells, and those of a refused write, which it bills and does not tell. */
function unitsOf({ operation, body, answer }: Call): number {
  const input = JSON.parse(body.toString('utf8')) as { readonly Item?: Item; readonly FilterExpression?: string };
  if (input.FilterExpression !== undefined)
    throw new Error(`${operation} has a filter, whose discarded items are billed.`);
  const { ConsumedCapacity = [], __type = '', Item: stored }: DynamoDbAnswer = JSON.parse(answer.body.toString('utf8'));
  if (answer.status === 200)
    return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  const items = [input.Item, stored].filter((item) => item !== undefined);
  if (!__type.endsWith('ConditionalCheckFailedException') || items.length === 0)
    throw new Error(`What ${operation} has consumed is not known: ${answer.body.toString('utf8')}`);
  return Math.max(...items.map((item) => unitsOfRefusedItem(unmarshall(item))));
}

const serviceNames: Readonly<Record<string, string>> = {
  events: 'EventBridge',
  secretsmanager: 'Secrets Manager',
  sqs: 'SQS',
  transcribe: 'Transcribe',
};

function otherName({ service, operation, method, path, body }: Call): string {
  if (service === undefined) return `${method} to a receiver`;
  if (service === 'sts') return `STS ${new URLSearchParams(body.toString('utf8')).get('Action')}`;
  if (service === 's3') return `S3 ${nameInS3(method, new URL(path, 'http://s3').searchParams)}`;
  return `${serviceNames[service] ?? service} ${operation}`;
}

function nameInS3(method: string, query: URLSearchParams): string {
  const name = s3Operations[method];
  if (method === 'GET' && query.has('list-type')) return 'ListObjectsV2';
  if (method === 'POST' && query.has('delete')) return 'DeleteObjects';
  if (method === 'POST' && query.has('uploads')) return 'CreateMultipartUpload';
  if (method === 'POST' && query.has('uploadId')) return 'CompleteMultipartUpload';
  if (method === 'PUT' && query.has('uploadId')) return 'UploadPart';
  if (name === undefined) throw new Error(`${method} is no operation of S3 that a request uses.`);
  return name;
}

const s3Operations: Readonly<Record<string, string>> = { GET: 'GetObject', HEAD: 'HeadObject', PUT: 'PutObject' };
