import { type Pause, realPause } from './retry.ts';

/** Resolves when the next call may be made. */
export type Pace = () => Promise<void>;

/**
 * Lets this process make `perSecond` calls a second, evenly spaced. A call that comes after a pause does not wait. Calls that come at the
 * same time get their turns one after the other.
 */
export function pace(
  perSecond: number,
  { now = Date.now, pause = realPause }: { readonly now?: () => number; readonly pause?: Pause } = {},
): Pace {
  const intervalMs = 1000 / perSecond;
  let nextAt = 0;
  return async () => {
    const waitMs = Math.max(0, nextAt - now());
    nextAt = now() + waitMs + intervalMs;
    if (waitMs > 0) await pause(waitMs);
  };
}
