import { repeatableStatuses } from './contract.ts';
import { ApiError, ConnectionError, RoomscribeError } from './errors.ts';
import { after, anyOf, pause } from './signals.ts';

/** The settings of HTTP requests. */
export type HttpSettings = {
  readonly fetch: typeof fetch;
  /** Maximum number of retries of a request. */
  readonly maxRetries: number;
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Called before each retry, with the error and the pause in milliseconds. */
  readonly onRetry?: ((error: RoomscribeError, delayMs: number) => void) | undefined;
};

/** The limits of one call, instead of those of the client. */
export type Limits = {
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
};

/** The settings of a client with the limits of one call. Throws a `TypeError` for an invalid limit. */
export function withLimits(
  settings: HttpSettings,
  { maxRetries = settings.maxRetries, timeoutMs = settings.timeoutMs }: Limits,
): HttpSettings {
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new TypeError('maxRetries must be a whole number, 0 or greater.');
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be a number of milliseconds greater than 0.');
  return { ...settings, maxRetries, timeoutMs };
}

const firstBackoffMs = 250;
const longestBackoffMs = 10_000;
/** Spreads clients that got the same `Retry-After`, so that they do not all retry at the same moment. */
const retryAfterJitterMs = 1_000;
/** The points of an organization return after a minute. A longer `Retry-After`, as of a limit of an hour, is an error instead of a wait. */
const longestRetryAfterSeconds = 60;

/**
 * Sends one request and reads its answer with `read`, within the time limit of an attempt. Rethrows this library's errors
 * from `read`. Throws the reason of the caller's signal, a `TypeError` for a request that cannot be sent, and otherwise a
 * `ConnectionError`.
 */
export async function exchange<Result>(
  { fetch, timeoutMs }: HttpSettings,
  url: URL | string,
  init: RequestInit,
  read: (response: Response) => Promise<Result> | Result,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  new Request(url, init); // throws for an invalid header, which is not a network error
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

/** Node has the reason in `cause`, such as ECONNREFUSED, ENOTFOUND or the problem of a certificate. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } | undefined };
  const code = cause?.code;
  return typeof code === 'string' ? ` (${code})` : '';
}

/**
 * Retries until an attempt succeeds, fails permanently, or reaches the maximum number of retries. Pauses grow exponentially
 * with full jitter (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/). They are never
 * shorter than `Retry-After`.
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
      if (retry >= maxRetries || !isTemporary(error)) throw error;
      const delayMs = pauseBefore(retry, error);
      onRetry?.(error, delayMs);
      await pause(delayMs, signal);
    }
  }
}

/** Whether an error can be temporary. Every call of this API is safe to repeat, so the client retries after each of these. */
export function isTemporary(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error.code !== 'unexpected_answer';
  if (error instanceof ApiError && error.code === 'replay_in_progress') return false; // it can take many minutes
  if (!(error instanceof ApiError) || (error.retryAfterSeconds ?? 0) > longestRetryAfterSeconds) return false;
  return error.status >= 500 || repeatableStatuses.includes(error.status);
}

function pauseBefore(retry: number, error: ApiError | ConnectionError): number {
  const backoffMs = Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** retry);
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return backoffMs;
  return error.retryAfterSeconds * 1000 + Math.random() * retryAfterJitterMs;
}
