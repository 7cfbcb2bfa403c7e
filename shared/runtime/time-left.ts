import type { Context } from 'aws-lambda';

/** The part of Lambda's context that returns the remaining time. */
export type Timed = Pick<Context, 'getRemainingTimeInMillis'>;

/** A call to a dependency times out after nine seconds, so work that begins with more time than this ends before the function's timeout. */
const reservedMs = 10_000;

/** What a function needs at its end, to return its answer. */
const answerMs = 2_000;
/** The longest timeout of a function. A timer cannot wait without an end. */
const longestMs = 900_000;

/** False if new work might be cut off by the function's timeout. */
export function hasTimeLeft({ getRemainingTimeInMillis }: Timed): boolean {
  return getRemainingTimeInMillis() >= reservedMs;
}

/** Throws if too little time is left to start more work. SQS then redelivers the message. */
export type AssertTimeLeft = () => void;

/** For callers without a deadline. */
export const noTimeLimit: AssertTimeLeft = () => {};

/** Waits for work that is not needed, but only so long that the function can still answer. Throws if the work takes longer. */
export async function beforeTimeout(context: Timed, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const waitMs = Math.min(context.getRemainingTimeInMillis() - answerMs, longestMs);
    timer = setTimeout(() => reject(new Error('It takes longer than the function has time.')), waitMs);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
