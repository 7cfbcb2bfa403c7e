import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import getPort from 'get-port';
import { host } from '#tools/local/ports.ts';
import { startDynamoDb } from '#tools/local/services/dynamodb/dynamodb-process.ts';
import { unitsOf, unitsOfRefusedItem } from '../support/storage/capacity-meter.ts';
import { stateFolder } from './local-runner.ts';

/** What the calls that contain a text have consumed so far. A rejected transaction reports no units. */
export type Consumed = { writes: number; reads: number; calls: number; rejectedTransactions: number };

/** A DynamoDB that answers late. */
export type DistantDynamoDb = {
  readonly url: string;
  /** Counts the units of the calls from now on whose request contains the text, for example the id of a session. */
  readonly count: (text: string) => Readonly<Consumed>;
};

type Input = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer };

const writes = /\.(PutItem|UpdateItem|DeleteItem|TransactWriteItems|BatchWriteItem)$/;

/** Starts a DynamoDB behind a server that delays each call by itself, runs `work`, then stops and deletes both. */
export async function withDistantDynamoDb<Result>(
  delayMs: number,
  work: (dynamodb: DistantDynamoDb) => Promise<Result>,
): Promise<Result> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(await stateFolder(), 'roomscribe-bench-dynamodb-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const dynamodb = await startDynamoDb(folder, await getPort({ host }));
  cleanup.defer(dynamodb.stop);
  const agent = new Agent({ keepAlive: true });
  const counted = new Map<string, Consumed>();
  const server = createServer((incoming, response) => {
    const answering = passOn(incoming, dynamodb.url, { agent, delayMs, counted });
    answering.then((answer) => send(response, answer)).catch(() => response.destroy());
  }).listen(0, host);
  cleanup.defer(() => {
    server.close();
    server.closeAllConnections();
    agent.destroy();
  });
  await once(server, 'listening');
  return await work({
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    count: (text) => {
      const consumed = { writes: 0, reads: 0, calls: 0, rejectedTransactions: 0 };
      counted.set(text, consumed);
      return consumed;
    },
  });
}

type Passing = {
  readonly agent: Agent;
  readonly delayMs: number;
  readonly counted: ReadonlyMap<string, Consumed>;
};

async function passOn(incoming: IncomingMessage, url: string, { agent, delayMs, counted }: Passing): Promise<Answer> {
  const body = await buffer(incoming);
  await delay(delayMs);
  const target = String(incoming.headers['x-amz-target']);
  const call = { agent, method: incoming.method, headers: incoming.headers };
  const text = body.toString();
  const counts = [...counted].filter(([part]) => text.includes(part)).map(([, consumed]) => consumed);
  if (counts.length === 0) return exchange(url, call, body);
  const input: Input = JSON.parse(text);
  const metered = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }));
  const headers = { ...incoming.headers, 'content-length': String(metered.length) };
  const answer = await exchange(url, { ...call, headers }, metered);
  for (const consumed of counts) add(consumed, writes.test(target) ? 'writes' : 'reads', input, answer);
  return answer;
}

async function exchange(url: string, options: object, body: Buffer): Promise<Answer> {
  const outgoing = request(url, options);
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 500, headers: response.headers, body: await buffer(response) };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _, ...others } = headers;
  response.writeHead(status, { ...others, 'content-length': body.length }).end(body);
}

function add(sum: Consumed, kind: 'writes' | 'reads', { Item }: Input, { status, body }: Answer): void {
  sum.calls++;
  const { ConsumedCapacity = [], __type = '' } = JSON.parse(body.toString()) as {
    readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
    readonly __type?: string;
  };
  if (status === 200) for (const units of Object.values(unitsOf([ConsumedCapacity].flat()))) sum[kind] += units;
  else if (__type.endsWith('TransactionCanceledException')) sum.rejectedTransactions++;
  else if (__type.endsWith('ConditionalCheckFailedException') && Item !== undefined)
    sum.writes += unitsOfRefusedItem(unmarshall(Item as Parameters<typeof unmarshall>[0]));
}
