/** The longest delay of a timer, in milliseconds. A longer one would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/** Runs an action after a delay of any length. Returns a function that cancels it. */
export function after(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, Math.min(milliseconds, longestTimerMs));
  return () => clearTimeout(timer);
}

/** Waits. Rejects immediately with the signal's reason when the signal is aborted. */
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

/** Settles like the promise, or rejects with the signal's reason if it is aborted first. The promise's work continues. */
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

/** A new signal that is aborted when one of the signals is. Each call has its own, so that calls can share a signal. */
export function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 0 ? AbortSignal.any(given) : undefined;
}
