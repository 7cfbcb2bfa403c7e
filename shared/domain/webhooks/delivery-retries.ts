import type { DeliveryRecord } from './webhook.ts';

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;

/** The pauses after the first attempts, in seconds. After those the last one repeats. */
const pausesSeconds = [5, 30, 2 * 60, 10 * 60, 30 * 60, 3_600, 2 * 3_600, 4 * 3_600, 6 * 3_600, 8 * 3_600, 12 * 3_600];
const longestPauseSeconds = 12 * 3_600;
/** For how long a delivery is tried. The last attempt is then, or when a parked webhook is called again. */
const triedForMs = 72 * hourMs;
/** A receiver cannot ask for more, so that one wrong header does not stop its webhook for long. */
const longestRetryAfterSeconds = 24 * 3_600;
/** How much a pause differs from its length at most, in either direction, so that receivers get no crowd when they return. */
const jitterShare = 0.2;

/** A pause that is longer or shorter by a random share. `random` is from 0 to 1. */
export function jittered(ms: number, random: number): number {
  return Math.round(ms * (1 + (2 * random - 1) * jitterShare));
}

/** The time for which a receiver asked to wait, as far as it counts. */
export function countingRetryAfterMs(seconds: number | undefined): number {
  return Math.min(seconds ?? 0, longestRetryAfterSeconds) * secondMs;
}

type FailedAttempt = {
  /** When it failed. */
  readonly now: Date;
  /** From 0 to 1. */
  readonly random: number;
  readonly retryAfterSeconds?: number | undefined;
};

/**
 * When a delivery is tried again after it has failed. `attempts` includes the failed one. Undefined if it was tried for 72 hours. No pause
 * goes past these, so there is an attempt at their end.
 */
export function nextAttemptAfter(
  { attempts, plannedAt }: Pick<DeliveryRecord, 'attempts' | 'plannedAt'>,
  { now, random, retryAfterSeconds }: FailedAttempt,
): Date | undefined {
  const lastMs = Date.parse(plannedAt) + triedForMs;
  if (now.getTime() >= lastMs) return undefined;
  const pauseMs = jittered((pausesSeconds[attempts - 1] ?? longestPauseSeconds) * secondMs, random);
  const waitMs = Math.max(pauseMs, countingRetryAfterMs(retryAfterSeconds));
  return new Date(Math.min(now.getTime() + waitMs, lastMs));
}
