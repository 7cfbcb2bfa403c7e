/** The longest time that a timer can be set to, in milliseconds: one above it would go off at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Does something after a time, however long; returns what takes it back. */
export function after(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, Math.min(milliseconds, longestTimerMs));
  return () => clearTimeout(timer);
}

/** Waits; where the signal is aborted, it throws the signal's reason at once. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = after(milliseconds, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The promise's outcome, or the signal's reason if that is aborted first; what the promise began goes on. */
export async function unlessAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise;
  const done = new AbortController();
  const abortion = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([promise, abortion]);
  } finally {
    done.abort();
  }
}

/** Aborted as soon as one of them is: a signal of one call's own, so that many calls can share one of their caller's. */
export function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 0 ? AbortSignal.any(given) : undefined;
}
