import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DeliveryFailureCode } from '#shared/contracts/webhooks/webhooks.ts';
import { deliveryFailure, failureOfStatus, retryAfterSeconds } from '#shared/domain/webhooks/delivery-failures.ts';
import type { WebhookAnswer } from '#shared/use-cases/webhooks/ports.ts';
import { NotCalled } from './checked-lookup.ts';

/** No receiver needs to answer more. The rest is not read. */
const mostAnswerBytes = 64 * 1024;

/** How far a call has come. An error says less about its reason than the step in which it happens. */
type Progress = { connected: boolean; ready: boolean; status?: number };

/** What is known about an attempt. */
type Seen = { readonly status?: number | undefined; readonly latencyMs?: number | undefined };

/** The answer of a call that failed. */
export function failedCall(code: DeliveryFailureCode, { status, latencyMs }: Seen): WebhookAnswer {
  return {
    succeeded: false,
    answerCode: status ?? null,
    latencyMs: latencyMs ?? null,
    failure: deliveryFailure(code),
  };
}

/**
 * Sends a request and resolves once: with what came of it, or when its time is over. Then it ends the connection. Of an answer with 2xx it
 * reads all, because a receiver that dies before its end may not have stored the notice; of others it reads only the head.
 */
export function callOnce(
  call: ClientRequest,
  body: string,
  { timeoutMs, now }: { readonly timeoutMs: number; readonly now: () => Date },
): Promise<WebhookAnswer> {
  const { promise, resolve } = Promise.withResolvers<WebhookAnswer>();
  const startedAt = performance.now();
  const progress: Progress = { connected: false, ready: false };
  const end = (code: DeliveryFailureCode | undefined, answer?: IncomingMessage) => {
    clearTimeout(timer);
    const latencyMs = progress.connected ? Math.round(performance.now() - startedAt) : undefined;
    const seen = { latencyMs, status: progress.status };
    if (code) {
      const retryAfter = retryAfterSeconds(answer?.headers['retry-after'], now());
      resolve({ ...failedCall(code, seen), retryAfterSeconds: retryAfter });
    } else resolve(succeededCall(seen));
    call.destroy(); // also the answer, of which no more is read
  };
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  call.on('socket', (socket) => watch(socket, progress));
  call.on('error', (error) => end(failureOf(error, progress)));
  const answered = (answer: IncomingMessage) => {
    progress.status = answer.statusCode ?? 0;
    const refused = failureOfStatus(progress.status);
    if (refused) end(refused, answer);
    else readToEnd(answer, end);
  };
  call.on('response', answered);
  call.on('upgrade', answered);
  call.end(body);
  return promise;
}

function succeededCall({ status, latencyMs }: Seen): WebhookAnswer {
  return { succeeded: true, answerCode: status ?? null, latencyMs: latencyMs ?? null, failure: null };
}

function watch(socket: Socket, progress: Progress): void {
  const isReadyAtOnce = !(socket instanceof TLSSocket);
  socket.on('connect', () => {
    progress.connected = true;
    progress.ready = isReadyAtOnce;
  });
  socket.on('secureConnect', () => {
    progress.ready = true;
  });
}

/** Reads an answer and keeps nothing of it. It calls `end` repeatedly, and only the first time counts. */
function readToEnd(answer: IncomingMessage, end: (code: DeliveryFailureCode | undefined) => void): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostAnswerBytes) end('answer_too_large');
  });
  answer.on('end', () => end(undefined));
  answer.on('error', () => end('connection_failed'));
  answer.on('close', () => end('connection_failed'));
}

/** The code of an error. The agents' own errors are about an address, and have no code. */
function failureOf(error: Error, { connected, ready }: Progress): DeliveryFailureCode {
  if (error instanceof NotCalled) return error.failureCode;
  if (error.message.includes('is not allowed. Because')) return 'address_not_public';
  return connected && !ready ? 'tls_failed' : 'connection_failed';
}
