import { repeatableStatuses } from './contract.ts';
import { ApiError, ConnectionError, RoomscribeError } from './errors.ts';
import { after, anyOf, pause } from './signals.ts';

/** How requests are sent. */
export type HttpSettings = {
  readonly fetch: typeof fetch;
  /** How often a request is sent again. */
  readonly maxRetries: number;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Is told before a request is sent again: why, and after which pause in milliseconds. */
  readonly onRetry?: ((error: RoomscribeError, delayMs: number) => void) | undefined;
};

const firstBackoffMs = 250;
const longestBackoffMs = 10_000;
/** Those who were told the same time must not all come back at the same moment. */
const retryAfterJitterMs = 1_000;
/** The points of an organization are back after a minute; whoever names a longer time is not waited for. */
const longestRetryAfterSeconds = 60;

/**
 * One exchange with a server: sends a request, and reads its answer by `read`, within the time for an attempt. Throws what
 * `read` throws of this library's errors, the reason of the caller's signal, or a `ConnectionError`; a request that cannot
 * be written at all is a `TypeError`.
 */
export async function exchange<Result>(
  { fetch, timeoutMs }: HttpSettings,
  url: URL | string,
  init: RequestInit,
  read: (response: Response) => Promise<Result> | Result,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  new Request(url, init); // throws of a header that cannot be sent, which is no fault of the network
  const timeout = new AbortController();
  const cancel = after(timeoutMs, () => timeout.abort());
  const { origin } = new URL(url);
  try {
    return await read(await fetch(url, { ...init, signal: anyOf(signal, timeout.signal) ?? null }));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (timeout.signal.aborted)
      throw new ConnectionError('timed_out', `${origin} did not answer within ${timeoutMs / 1000} seconds.`);
    if (error instanceof RoomscribeError) throw error;
    throw new ConnectionError('connection_failed', `${origin} could not be reached${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    cancel();
  }
}

/** Node hides the reason in the cause: ECONNREFUSED, ENOTFOUND, a certificate's fault. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } | undefined };
  const code = cause?.code;
  return typeof code === 'string' ? ` (${code})` : '';
}

/**
 * Tries until it succeeds, fails for good, or has been repeated often enough. Pauses grow exponentially with full jitter
 * (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/), and are never shorter than what
 * `Retry-After` says.
 */
export async function withRetries<Result>(
  { maxRetries, onRetry }: HttpSettings,
  attempt: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      if (retry >= maxRetries || !canPass(error)) throw error;
      const delayMs = pauseBefore(retry, error);
      onRetry?.(error, delayMs);
      await pause(delayMs, signal);
    }
  }
}

/** True for a fault that may pass. Every call of this API is safe to repeat, so each of them is a reason to. */
export function canPass(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error.code !== 'unexpected_answer';
  if (!(error instanceof ApiError) || (error.retryAfterSeconds ?? 0) > longestRetryAfterSeconds) return false;
  return error.status >= 500 || repeatableStatuses.includes(error.status);
}

function pauseBefore(retry: number, error: ApiError | ConnectionError): number {
  const backoffMs = Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** retry);
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return backoffMs;
  return error.retryAfterSeconds * 1000 + Math.random() * retryAfterJitterMs;
}
