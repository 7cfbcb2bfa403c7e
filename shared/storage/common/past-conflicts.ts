import { type Pause, type RetryOptions, retry, tryAgain } from '#shared/runtime/retry.ts';

/** How long to compete with transactions that write the same item. They take some milliseconds. */
export const conflictRetries = {
  maxAttempts: 8,
  maxPauseMs: (failedAttempts: number) => Math.min(25 * 2 ** failedAttempts, 400),
  exhausted: 'Too many concurrent writes of the same item. Try again.',
} as const satisfies RetryOptions;

/** True if a single write was rejected because a transaction was writing its item. The SDK does not try such a write again. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && error.name === 'TransactionConflictException';
}

/** Runs a single write, and again as long as transactions are writing its item. */
export async function pastConflicts<Result>(write: () => Promise<Result>, pause?: Pause): Promise<Result> {
  let cause: unknown;
  const attempt = async () => {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error)) throw error;
      cause = error;
      return tryAgain;
    }
  };
  return retry(attempt, { ...conflictRetries, pause, cause: () => cause });
}
