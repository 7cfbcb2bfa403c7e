import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Stores } from '#operations/erasure/deployment.ts';
import { queueNames, tableNames } from '#shared/runtime/names.ts';
import { answering } from '../client/fake-client.ts';
import { fakePeoplePoolId, fakePool } from './fake-cognito.ts';

const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The outputs of a stack about its user pool. */
export const poolOutputs = {
  UserPoolId: fakePool.id,
  TokenUrl: 'https://tokens.example.com/oauth2/token',
  TokenScope: fakePool.scope,
};

/** The outputs of a stack with a console about its people. */
export const peopleOutputs = { PeoplePoolId: fakePeoplePoolId, ConsoleClientId: '7consoleclient0000example' };

/** The outputs of a stack about its address, tables, queues and buckets. */
export const stageOutputs = {
  ApiUrl: 'https://api.example.com',
  ...outputsOf({
    tables: Object.fromEntries(tableNames.map((name) => [name, capitalized(name)])),
    queues: Object.fromEntries(queueNames.map((name) => [name, `https://sqs.example.com/${name}`])),
    buckets: { recordings: 'recordings-bucket', transcripts: 'transcripts-bucket' },
  }),
};

/** The outputs of a stack with these tables, queues and buckets. */
export function outputsOf(names: Readonly<Record<'tables' | 'queues' | 'buckets', Readonly<Record<string, string>>>>) {
  const renamed = (values: Readonly<Record<string, string>>, suffix: string) =>
    Object.entries(values).map(([name, value]) => [`${capitalized(name)}${suffix}`, value] as const);
  const { tables, queues, buckets } = names;
  return Object.fromEntries([
    ...renamed(tables, 'TableName'),
    ...renamed(queues, 'QueueUrl'),
    ...renamed(buckets, 'BucketName'),
  ]);
}

/** Stores in which there is nothing. */
export function emptyStores(): Stores {
  const region = 'eu-west-1';
  return {
    documents: answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region }))).client,
    secretsManager: answering(new SecretsManagerClient({ region })).client,
    sqs: answering(new SQSClient({ region })).client,
    s3: answering(new S3Client({ region })).client,
    transcribe: answering(new TranscribeClient({ region })).client,
  };
}
