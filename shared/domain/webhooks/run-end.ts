import { type Failing, isParked } from './webhook-parking.ts';

const minuteMs = 60_000;
/** SQS delays no message for longer. */
const longestDelayMs = 15 * minuteMs;
/** If a message asks for the next run, the sweep asks for it only some time later, in case the message is lost. */
const graceMs = minuteMs / 2;
/** Longer than the index of deliveries lags behind its table. */
const lookAgainMs = 2 * minuteMs;

/** What a run knows at its end. */
export type RunFindings = {
  readonly failing: Failing;
  /** When the next delivery is due, as far as the index and this run know. */
  readonly nextDueAt: string | undefined;
  /** It has made deliveries, or has tried to. */
  readonly hasTried: boolean;
  /** There may be deliveries that the index did not show yet. */
  readonly mayHaveMissed: boolean;
  /** When a run looks again, as the runs before have asked for. */
  readonly lookAgainAt: string | undefined;
};

/** How the next run comes: by a message after so many seconds, by the sweep at a time, or not at all. */
export type FollowUp = {
  readonly delaySeconds: number | undefined;
  readonly dueAt: string | undefined;
  /** At this time a run must have looked again. `dueAt` is not later. */
  readonly lookAgainAt: string | undefined;
};

/**
 * What follows a run. The next run is due when the next delivery is, or when the webhook is not parked any more. For the next
 * fifteen minutes a message brings it in time, and the sweep brings it if that is lost. A run that made nothing sends no message, because
 * the one before has. Whatever may have missed a delivery is followed by a run that looks again, when the index shows all.
 */
export function followUpOf(found: RunFindings, now: Date): FollowUp {
  const { failing, nextDueAt, hasTried } = found;
  const lookAgainAt = nextLookOf(found, now);
  const parkedUntil = isParked(failing, now) ? failing.parkedUntil : undefined;
  const nextRunAt = [parkedUntil, nextDueAt]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  const waitMs = nextRunAt === undefined ? undefined : Math.max(0, Date.parse(nextRunAt) - now.getTime());
  const isAsked = waitMs !== undefined && (waitMs === 0 || (hasTried && waitMs <= longestDelayMs));
  const waitsMs = [
    ...(waitMs === undefined ? [] : [waitMs + (isAsked ? graceMs : 0)]),
    ...(lookAgainAt ? [Date.parse(lookAgainAt) - now.getTime()] : []),
  ];
  return {
    delaySeconds: isAsked ? Math.ceil(waitMs / 1_000) : undefined,
    dueAt: waitsMs.length > 0 ? new Date(now.getTime() + Math.min(...waitsMs)).toISOString() : undefined,
    lookAgainAt,
  };
}

/** A run in between, which finds nothing, does not replace the one that looks again. */
function nextLookOf({ mayHaveMissed, lookAgainAt }: RunFindings, now: Date): string | undefined {
  if (mayHaveMissed) return new Date(now.getTime() + lookAgainMs).toISOString();
  return lookAgainAt !== undefined && lookAgainAt > now.toISOString() ? lookAgainAt : undefined;
}
