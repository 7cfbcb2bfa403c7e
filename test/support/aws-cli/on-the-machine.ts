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
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { dynamodb, endpoints, s3, sqs } from '../machine.ts';
import type { Program } from '../shell.ts';
import { readAwsCommand } from './command-line.ts';
import { printed } from './output.ts';
import { stackAnswers } from './stand-in.ts';

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

/** What the documents send to the machine; each takes the input that its operation has in AWS's model. */
const operations: Readonly<Record<string, (input: never) => Promise<object>>> = {
  'dynamodb delete-item': (input) => dynamodb.send(new DeleteItemCommand(input)),
  'dynamodb get-item': (input) => dynamodb.send(new GetItemCommand(input)),
  'dynamodb put-item': (input) => dynamodb.send(new PutItemCommand(input)),
  'dynamodb query': (input) => dynamodb.send(new QueryCommand(input)),
  'dynamodb scan': (input) => dynamodb.send(new ScanCommand(input)),
  'dynamodb update-item': (input) => dynamodb.send(new UpdateItemCommand(input)),
  'sqs send-message': (input) => sqs.send(new SendMessageCommand(input)),
  'sqs send-message-batch': (input) => sqs.send(new SendMessageBatchCommand(input)),
};

/** Stands in for the AWS CLI, with the machine in the place of AWS: its commands are carried out. */
export const awsOnTheMachine: Program = async ({ args, folder }) => {
  const command = await readAwsCommand(args, folder);
  const { service, operation, input, own, positionals } = command;
  if (service === 's3') return upload(folder, positionals);
  const answer = stack(command) ?? (await operations[`${service} ${operation}`]?.(input as never));
  if (answer === undefined) throw new Error('the machine has nothing like it');
  return printed(answer, own);
};

async function upload(folder: string, [from = '', to = '']: readonly string[]): Promise<string> {
  const [, Bucket, Key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(to) ?? [];
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: await readFile(path.resolve(folder, from)) }));
  return `upload: ${from} to ${to}\n`;
}
