import { repeatableStatuses } from './contract.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { pause } from './signals.ts';

/** How requests are sent. */
export type HttpSettings = {
  readonly fetch: typeof fetch;
  /** How often a request is sent again. */
  readonly maxRetries: number;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number;
};

const firstBackoffMs = 250;
const longestBackoffMs = 10_000;
/** Those who were told the same time must not all come back at the same moment. */
const retryAfterJitterMs = 1_000;

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
  { maxRetries }: Pick<HttpSettings, 'maxRetries'>,
  attempt: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      if (retry >= maxRetries || !isRepeatable(error)) throw error;
      await pause(delayMs(retry, error), signal);
    }
  }
}

/** Every call of this API is safe to repeat, so each fault that may pass is a reason to. */
function isRepeatable(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.code !== 'unexpected_answer';
  return error instanceof ApiError && (error.status >= 500 || repeatableStatuses.includes(error.status));
}

function delayMs(retry: number, error: unknown): number {
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + Math.random() * retryAfterJitterMs;
  return Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** retry);
}
