import { repeatableStatuses } from './contract.ts';
import { ApiError, ConnectionError, type RoomscribeError } from './errors.ts';
import { pause } from './signals.ts';

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
 * One exchange with a server: sends a request, and reads its answer by `read`, within the time for an attempt. Throws a
 * `ConnectionError`, what `read` throws, or the reason of the caller's signal.
 */
export async function exchange<Result>(
  { fetch, timeoutMs }: HttpSettings,
  url: URL | string,
  init: RequestInit,
  read: (response: Response) => Promise<Result> | Result,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const signals = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal;
    return await read(await fetch(url, { ...init, signal: signals }));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const { origin } = new URL(url);
    if (timeout.signal.aborted)
      throw new ConnectionError('timed_out', `${origin} did not answer within ${timeoutMs / 1000} seconds.`);
    if (!(error instanceof TypeError)) throw error; // what fetch throws of the network
    throw new ConnectionError('connection_failed', `${origin} could not be reached${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Node hides the reason in the cause: ECONNREFUSED, ENOTFOUND, a certificate's fault. */
function reasonOf({ cause }: TypeError): string {
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
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
      if (retry >= maxRetries || !isRepeatable(error)) throw error;
      const delayMs = pauseBefore(retry, error);
      onRetry?.(error, delayMs);
      await pause(delayMs, signal);
    }
  }
}

/** Every call of this API is safe to repeat, so each fault that may pass is a reason to. */
function isRepeatable(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error.code !== 'unexpected_answer';
  if (!(error instanceof ApiError) || (error.retryAfterSeconds ?? 0) > longestRetryAfterSeconds) return false;
  return error.status >= 500 || repeatableStatuses.includes(error.status);
}

function pauseBefore(retry: number, error: ApiError | ConnectionError): number {
  const backoffMs = Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** retry);
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return backoffMs;
  return error.retryAfterSeconds * 1000 + Math.random() * retryAfterJitterMs;
}
