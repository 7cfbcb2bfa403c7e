import { countingRetryAfterMs, jittered } from './delivery-retries.ts';
import type { WebhookHealth } from './webhook.ts';

/** So many failures in a row, without a success between, park a webhook. */
const failuresThatPark = 3;
/** For how long it is parked, in seconds. After those the last one repeats. */
const parkingsSeconds = [30, 60, 2 * 60, 5 * 60, 10 * 60, 20 * 60, 30 * 60, 3_600];
const longestParkingSeconds = 3_600;
/** Answers with which a receiver says that it is busy. With a `Retry-After`, they park at once. */
const busyStatuses: readonly (number | null)[] = [429, 503];
const dayMs = 24 * 3_600_000;

/** What is known of the failures of a webhook. */
export type Failing = Pick<WebhookHealth, 'failingSince' | 'failuresInARow' | 'parkings' | 'parkedUntil'>;

/** What came of an attempt, as far as it counts for parking. */
type Attempted = {
  readonly succeeded: boolean;
  readonly answerCode: number | null;
  readonly retryAfterSeconds?: number | undefined;
};

/** True if the webhook is not to be called now. */
export function isParked({ parkedUntil }: Failing, now: Date): boolean {
  return parkedUntil !== undefined && parkedUntil > now.toISOString();
}

/** True if the next delivery is a probe: the webhook was parked, and no delivery has succeeded since. */
export function isProbed({ parkings = 0 }: Failing): boolean {
  return parkings > 0;
}

/**
 * The failures of a webhook after an attempt. A success ends them all. The third failure in a row parks the webhook, and each failure
 * after that for longer. Calls that were under way when it was parked do not prolong it, unless the receiver asks for it.
 */
export function failingAfter(failing: Failing, attempted: Attempted, now: Date, random: number): Failing {
  if (attempted.succeeded) return {};
  const { failingSince = now.toISOString(), parkings = 0, parkedUntil } = failing;
  const failuresInARow = (failing.failuresInARow ?? 0) + 1;
  const counted = { ...failing, failingSince, failuresInARow };
  const isBusy = busyStatuses.includes(attempted.answerCode);
  const askedMs = isBusy ? countingRetryAfterMs(attempted.retryAfterSeconds) : 0;
  const askedUntil = new Date(now.getTime() + askedMs).toISOString();
  if (isParked(failing, now))
    return askedUntil > (parkedUntil ?? '') ? { ...counted, parkedUntil: askedUntil } : counted;
  if (failuresInARow < failuresThatPark && !isProbed(failing) && askedMs === 0) return counted;
  const pauseMs = jittered((parkingsSeconds[parkings] ?? longestParkingSeconds) * 1_000, random);
  const until = new Date(now.getTime() + Math.max(pauseMs, askedMs)).toISOString();
  return { ...counted, parkings: parkings + 1, parkedUntil: until };
}

/** True if the webhook has failed for so many days that it is disabled. */
export function hasFailedForDays({ failingSince }: Failing, days: number, now: Date): boolean {
  return failingSince !== undefined && now.getTime() - Date.parse(failingSince) >= days * dayMs;
}
