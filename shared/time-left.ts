import type { Context } from 'aws-lambda';

/** What a function is told of the time that its invocation has left. */
export type Timed = Pick<Context, 'getRemainingTimeInMillis'>;

/** A dependency that hangs is given up after nine seconds: what is begun with more than this left ends before the timeout. */
const reservedMs = 10_000;

/** False where no other piece of work is to be begun: it would be cut off. */
export function hasTimeLeft({ getRemainingTimeInMillis }: Timed): boolean {
  return getRemainingTimeInMillis() >= reservedMs;
}
