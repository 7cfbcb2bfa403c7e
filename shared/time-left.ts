import type { Context } from 'aws-lambda';

/** The part of Lambda's context that returns the remaining time. */
export type Timed = Pick<Context, 'getRemainingTimeInMillis'>;

/** A call to a dependency times out after nine seconds, so work that begins with more time than this ends before the function's timeout. */
const reservedMs = 10_000;

/** False if new work might be cut off by the function's timeout. */
export function hasTimeLeft({ getRemainingTimeInMillis }: Timed): boolean {
  return getRemainingTimeInMillis() >= reservedMs;
}

/** Throws if too little time is left to start more work. SQS then redelivers the message. */
export type AssertTimeLeft = () => void;

/** For callers without a deadline. */
export const noTimeLimit: AssertTimeLeft = () => {};
