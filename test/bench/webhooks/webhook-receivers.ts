import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Notice } from '#shared/contracts/notices.ts';
import { host } from '#tools/local/ports.ts';

/** What can be wrong with a receiver. */
export const troubles = ['hangs', 'answers after 9 s', 'closes the connection', 'answers 500', 'trickles'] as const;
type Trouble = (typeof troubles)[number];

/** A notice that reached a receiver for the first time. */
export type Receipt = { readonly receiver: string; readonly notice: Notice; readonly lagMs: number };

/** Receivers of webhooks, each with a path of one server on this machine. */
export type Receivers = {
  readonly urlOf: (receiver: string) => string;
  /** Calls to the receiver are verified by this secret. */
  readonly expectSecret: (receiver: string, secret: string) => void;
  /** Lets receivers be broken, and all others be in order. Calls that wait for a broken one are closed. */
  readonly breakOnly: (broken: ReadonlyMap<string, Trouble>) => void;
  /** First receipts of all receivers, in their order. Also of broken ones, which get every call. */
  readonly receipts: readonly Receipt[];
  /** Calls so far, and how many of them the reference library refused. */
  readonly counts: { readonly calls: number; readonly refused: number };
  readonly close: () => void;
};

const answerMs = 50;
const slowMs = 9_000;
const trickleMs = 500;

/** Starts the receivers. One that is in order answers after 50 ms. */
export async function startReceivers(): Promise<Receivers> {
  const verifiers = new Map<string, Verifier>();
  const receipts: Receipt[] = [];
  const counts = { calls: 0, refused: 0 };
  const seen = new Set<string>();
  let broken: ReadonlyMap<string, Trouble> = new Map();
  let changing = new AbortController();

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const receiver = request.url?.slice(1) ?? '';
    const receivedAt = Date.now();
    const body = await text(request);
    counts.calls += 1;
    try {
      verifiers.get(receiver)?.verify(body, request.headers as Record<string, string>);
    } catch {
      counts.refused += 1;
    }
    const notice: Notice = JSON.parse(body);
    const key = `${receiver} ${notice.id}`;
    if (!seen.has(key)) receipts.push({ receiver, notice, lagMs: receivedAt - Date.parse(notice.createdAt) });
    seen.add(key);
    await answer(response, broken.get(receiver), changing.signal);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (receiver) => `http://${host}:${port}/${receiver}`,
    expectSecret: (receiver, secret) => void verifiers.set(receiver, new Verifier(secret)),
    breakOnly: (next) => {
      broken = next;
      changing.abort();
      changing = new AbortController();
    },
    ...{ receipts, counts },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Until the troubles change, then the connection is closed. */
async function answer(response: ServerResponse, trouble: Trouble | undefined, signal: AbortSignal): Promise<void> {
  if (trouble === 'closes the connection') return void response.destroy();
  if (trouble === 'hangs') return signal.addEventListener('abort', () => response.destroy());
  await delay(trouble === 'answers after 9 s' ? slowMs : answerMs, undefined, trouble ? { signal } : {});
  if (trouble === 'trickles') return trickle(response, signal);
  response.writeHead(trouble === 'answers 500' ? 500 : 204).end();
}

/** Answers 200 at once, and then a byte from time to time, without an end. */
async function trickle(response: ServerResponse, signal: AbortSignal): Promise<void> {
  response.writeHead(200);
  for (; !response.destroyed; await delay(trickleMs, undefined, { signal })) response.write('.');
}
