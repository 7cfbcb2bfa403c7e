import { setTimeout } from 'node:timers/promises';
import { ServiceUnavailable } from './errors.ts';

/** Resolves after the given number of milliseconds. */
export type Pause = (ms: number) => Promise<unknown>;

/** The pause of everyone who is not given another one. */
export const realPause: Pause = (ms) => setTimeout(ms);

/** An attempt returns this to be called again. */
export const tryAgain = Symbol('try again');

/** How often and how long to retry. */
export type RetryOptions = {
  readonly maxAttempts: number;
  /** The longest pause after the given number of failed attempts. */
  readonly maxPauseMs: (failedAttempts: number) => number;
  /** Message of the `ServiceUnavailable` that is thrown after the last attempt. */
  readonly exhausted: string;
  /** Returns the cause of the last failure, for the log. */
  readonly cause?: (() => unknown) | undefined;
  readonly pause?: Pause | undefined;
};

/**
 * Calls `attempt` until it returns something other than `tryAgain`, and returns that. The pause between two attempts is
 * random, so that competing callers do not retry in step. Throws `ServiceUnavailable` after the last attempt.
 */
export async function retry<Result>(
  attempt: () => Promise<Result | typeof tryAgain>,
  { maxAttempts, maxPauseMs, exhausted, cause, pause = realPause }: RetryOptions,
): Promise<Result> {
  for (let failedAttempts = 0; ; ) {
    const result = await attempt();
    if (result !== tryAgain) return result;
    if (++failedAttempts === maxAttempts) throw new ServiceUnavailable(exhausted, { cause: cause?.() });
    await pause(Math.random() * maxPauseMs(failedAttempts));
  }
}
