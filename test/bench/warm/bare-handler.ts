import { readFileSync } from 'node:fs';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as s3 from '@aws-sdk/client-s3';
import * as secretsManager from '@aws-sdk/client-secrets-manager';
import * as sqs from '@aws-sdk/client-sqs';
import * as transcribe from '@aws-sdk/client-transcribe';
import { formatUrl } from '@aws-sdk/core/util';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import type { BareCall, BareWork } from './bare-calls.ts';

// A bare handler that makes the calls of a file with plain clients of the SDK, and serializes the answer of the file. It is what
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

const { groups, answer }: BareWork = JSON.parse(readFileSync(process.env.BARE_CALLS ?? '', 'utf8'), (key, value) =>
  key === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value,
);
const senders = groups.map((group) => group.map(senderOf));
const body = answer.body && JSON.parse(answer.body);

function senderOf(call: BareCall): () => Promise<unknown> {
  if ('url' in call && call.service === 'signature') return signerOf(call);
  if (call.service === undefined) {
    const { url, method, headers, body } = call;
    return async () => ({ status: (await fetch(url, { method, headers, body: body ?? null })).status });
  }
  const [client, commands] = services[call.service] ?? [];
  const Command = commands?.[`${call.command}Command`];
  if (!client || !Command) throw new Error(`The bare handler cannot call ${call.command} of ${call.service}.`);
  return () => client.send(new Command(call.input));
}

/** Signs a link like this one for a new date, with the credentials of a session. */
function signerOf({ method, url }: { readonly method: string; readonly url: string }): () => Promise<string> {
  const { protocol, hostname, port, pathname: path, host, searchParams } = new URL(url);
  const sessionToken = searchParams.get('X-Amz-Security-Token') ?? '';
  const expiresIn = Number(searchParams.get('X-Amz-Expires'));
  const query = Object.fromEntries([...searchParams].filter(([name]) => !name.startsWith('X-Amz-')));
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local', sessionToken };
  return async () => {
    const presigner = new S3RequestPresigner({ region: 'us-east-1', credentials, sha256: Hash.bind(null, 'sha256') });
    const headers = { host };
    const request = new HttpRequest({ method, protocol, hostname, port: Number(port), path, headers, query });
    return formatUrl(await presigner.presign(request, { expiresIn }));
  };
}

export const handler = async () => {
  for (const group of senders) await Promise.allSettled(group.map((send) => send()));
  return { ...answer, ...(body !== undefined && { body: JSON.stringify(body) }) };
};
