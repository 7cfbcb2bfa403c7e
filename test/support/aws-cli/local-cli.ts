import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Program } from '../client/shell.ts';
import { dynamodb, endpoints, s3, sqs } from '../machine.ts';
import { readAwsCommand } from './command-line.ts';
import { stackAnswers } from './fake-cli.ts';
import { printed } from './output.ts';

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const named = (names: Readonly<Record<string, string>>, kind: string) =>
  Object.entries(names).map(([name, value]) => [`${capitalized(name)}${kind}`, value] as const);

const stack = stackAnswers({
  ApiUrl: endpoints.apiUrl,
  TokenUrl: endpoints.tokenUrl,
  ...Object.fromEntries([
    ...named(endpoints.tables, 'TableName'),
    ...named(endpoints.buckets, 'BucketName'),
    ...named(endpoints.queues, 'QueueUrl'),
  ]),
});

/** The operations that the documents use. Each takes the input of the operation in the model of AWS. */
const operations: Readonly<Record<string, (input: never) => Promise<object>>> = {
  'dynamodb delete-item': (input) => dynamodb.send(new DeleteItemCommand(input)),
  'dynamodb get-item': (input) => dynamodb.send(new GetItemCommand(input)),
  'dynamodb put-item': (input) => dynamodb.send(new PutItemCommand(input)),
  'dynamodb query': (input) => dynamodb.send(new QueryCommand(input)),
  'dynamodb scan': (input) => dynamodb.send(new ScanCommand(input)),
  'dynamodb update-item': (input) => dynamodb.send(new UpdateItemCommand(input)),
  's3api list-objects-v2': (input) => s3.send(new ListObjectsV2Command(input)),
  'sqs send-message': (input) => sqs.send(new SendMessageCommand(input)),
  'sqs send-message-batch': (input) => sqs.send(new SendMessageBatchCommand(input)),
};

/** A fake AWS CLI that runs its commands against the local runner instead of AWS. */
export const localAwsCli: Program = async ({ args, folder }) => {
  const command = await readAwsCommand(args, folder);
  const { service, operation, input, own, positionals } = command;
  if (service === 's3') return upload(folder, positionals);
  const answer = stack(command) ?? (await operations[`${service} ${operation}`]?.(input as never));
  if (answer === undefined) throw new Error('the local runner does not support this command');
  return printed(answer, own);
};

async function upload(folder: string, [from = '', to = '']: readonly string[]): Promise<string> {
  const [, Bucket, Key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(to) ?? [];
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: await readFile(path.resolve(folder, from)) }));
  return `upload: ${from} to ${to}\n`;
}
