import { readFileSync } from 'node:fs';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as s3 from '@aws-sdk/client-s3';
import * as secretsManager from '@aws-sdk/client-secrets-manager';
import * as sqs from '@aws-sdk/client-sqs';
import * as transcribe from '@aws-sdk/client-transcribe';
import type { BareCall } from './bare-calls.ts';

// A bare handler that makes the calls of a file with plain clients of the SDK, and answers with what they returned. It is what
// the functions are compared with: it reads and checks nothing, and knows the input of every call in advance.

type Sender = { send: (command: object) => Promise<object> };
type Commands = Readonly<Record<string, new (input: object) => object>>;

const services = {
  dynamodb: [new dynamodb.DynamoDBClient({}), dynamodb],
  s3: [new s3.S3Client({}), s3],
  secretsmanager: [new secretsManager.SecretsManagerClient({}), secretsManager],
  sqs: [new sqs.SQSClient({}), sqs],
  transcribe: [new transcribe.TranscribeClient({}), transcribe],
} as unknown as Readonly<Record<string, readonly [Sender, Commands]>>;

const groups: readonly (readonly BareCall[])[] = JSON.parse(
  readFileSync(process.env.BARE_CALLS ?? '', 'utf8'),
  (key, value) => (key === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value),
);
const senders = groups.map((group) => group.map(senderOf));

function senderOf(call: BareCall): () => Promise<object> {
  if (call.service === undefined) {
    const { url, method, headers, body } = call;
    return async () => ({ status: (await fetch(url, { method, headers, body: body ?? null })).status });
  }
  const [client, commands] = services[call.service] ?? [];
  const Command = commands?.[`${call.command}Command`];
  if (!client || !Command) throw new Error(`The bare handler cannot call ${call.command} of ${call.service}.`);
  return async () => {
    const { $metadata: _, ...answer } = (await client.send(new Command(call.input))) as Record<string, unknown>;
    return answer;
  };
}

export const handler = async () => {
  const answers: unknown[] = [];
  for (const group of senders) answers.push(...(await Promise.allSettled(group.map((send) => send()))));
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answers) };
};
