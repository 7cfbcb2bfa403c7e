import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import type { RequestSigner } from '@smithy/types';
import { inject } from 'vitest';
import { assertDescribed } from './docs/described.ts';
import type {} from './shared-machine.ts';

const { endpoints: sharedEndpoints, logFolder, invokeUrl } = inject('machine');

/** The endpoints of the shared local runner. */
export const endpoints = sharedEndpoints;

const settings = { region: endpoints.region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };

const authorization =
  'AWS4-HMAC-SHA256 Credential=test/20260302/us-east-1/test/aws4_request, SignedHeaders=host, Signature=0';

/** Gives each request the same signature. The local DynamoDB and SQS verify none, and to compute it is half of the SDK's work for a call. */
export const sameSignature: RequestSigner = {
  sign: async (request) => {
    Object.assign(request.headers, { authorization, 'x-amz-date': '20260302T090000Z' });
    return request;
  },
};

/** SDK clients for the shared local runner. */
export const sqs = new SQSClient({ ...settings, endpoint: endpoints.sqsUrl, signer: sameSignature });
export const s3 = new S3Client({ ...settings, endpoint: endpoints.s3Url });
export const dynamodb = new DynamoDBClient({ ...settings, endpoint: endpoints.dynamodbUrl, signer: sameSignature });
export const secretsManager = new SecretsManagerClient({ ...settings, endpoint: endpoints.secretsManagerUrl });
export const transcribe = new TranscribeClient({ ...settings, endpoint: endpoints.transcribeUrl });

/** Creates a new organization, so that tests do not affect each other. */
export function organization(): string {
  return `org-${randomUUID()}`;
}

const tokens = new Map<string, Promise<string>>();

/** A token of the organization from the local issuer. It is requested once. */
export function token(organizationId: string): Promise<string> {
  const known = tokens.get(organizationId);
  if (known !== undefined) return known;
  const asked = requestToken(organizationId);
  tokens.set(organizationId, asked);
  return asked;
}

async function requestToken(organizationId: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: organizationId, client_secret: 'local' };
  const response = await fetch(endpoints.tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok)
    throw new Error(`The issuer returned no token for ${organizationId}: ${response.status} ${await response.text()}`);
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
}

/** An answer of the API. `body` is parsed if it is JSON, and undefined if there is none. */
export type Answer<Body> = { readonly status: number; readonly headers: Headers; readonly body: Body };

export type ApiRequest = {
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Calls the API as an organization: `await api(acme)<Page>('GET', '/v1/transcriptions', { query: { limit: 1 } })`. */
export function api(organizationId: string) {
  return async <Body = unknown>(
    method: string,
    route: string,
    { body, query, headers }: ApiRequest = {},
  ): Promise<Answer<Body>> => {
    const url = new URL(`${endpoints.apiUrl}${route}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${await token(organizationId)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status } = response;
    assertDescribed(method, `${url.pathname}${url.search}`, {
      status,
      headers: Object.fromEntries(response.headers),
      text,
    });
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const parsed = isJson ? JSON.parse(text) : text || undefined;
    return { status: response.status, headers: response.headers, body: parsed };
  };
}

/** Sends an event of the platform to the room-events queue. Returns its id. */
export async function sendRoomEvent(
  organizationId: string,
  type: string,
  data: object,
  { id = randomUUID(), createdAt = new Date().toISOString() } = {},
): Promise<string> {
  const QueueUrl = endpoints.queues.roomEvents;
  const MessageBody = JSON.stringify({ id, type, organizationId, createdAt, data });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: organizationId }));
  return id;
}

/** Invokes a function by the name of its folder. Rethrows its error. */
export async function invoke(functionName: string, event: unknown = {}): Promise<unknown> {
  const response = await fetch(`${invokeUrl}/${functionName}`, { method: 'POST', body: JSON.stringify(event) });
  const { returned, threw } = (await response.json()) as { readonly returned?: unknown; readonly threw?: string };
  if (threw !== undefined) throw new Error(threw);
  return returned;
}

/** The log of a function so far. */
export function logOf(functionName: string): Promise<string> {
  return readFile(path.join(logFolder, `${functionName}.log`), 'utf8');
}
