import type { Context } from 'aws-lambda';

/** The part of Lambda's context that tells the time left. */
export type Timed = Pick<Context, 'getRemainingTimeInMillis'>;

/** A call to a dependency times out after nine seconds, so work that begins with more time than this ends before the function's timeout. */
const reservedMs = 10_000;

/** False if new work might be cut off by the function's timeout. */
export function hasTimeLeft({ getRemainingTimeInMillis }: Timed): boolean {
  return getRemainingTimeInMillis() >= reservedMs;
}

/** Throws if too little time is left to begin another piece of work, so that the message comes again. */
export type AssertTimeLeft = () => void;

/** For callers without a deadline. */
export const noTimeLimit: AssertTimeLeft = () => {};
