import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import type { AssertTimeLeft } from '#shared/runtime/time-left.ts';

/** Result of one attempt. `lost-race`: another writer committed first. `more-to-do`: this part is committed, and others follow. */
export type Attempt = 'done' | 'lost-race' | 'more-to-do';

/** The deadline of the attempts, and the pause between them. */
export type RetryLimits = { readonly assertTimeLeft: AssertTimeLeft; readonly pause?: Pause | undefined };

const maxLostRaces = 30;
const firstPauseMs = 20;
const maxPauseMs = 600;

/**
 * Repeats `attempt` until everything is committed. Workers that change the same room or recording concurrently lose races, and retry here
 * after a random pause. Throws `ServiceUnavailable` after 30 lost races, and SQS then redelivers the message.
 */
export async function untilCommitted(
  attempt: () => Promise<Attempt>,
  { assertTimeLeft, pause }: RetryLimits,
): Promise<void> {
  const attemptUntilDoneOrLost = async () => {
    let outcome: Attempt;
    do {
      assertTimeLeft();
      outcome = await attempt();
    } while (outcome === 'more-to-do');
    return outcome === 'lost-race' ? tryAgain : outcome;
  };
  await retry(attemptUntilDoneOrLost, {
    maxAttempts: maxLostRaces,
    maxPauseMs: (lostRaces) => Math.min(firstPauseMs * 2 ** (lostRaces - 1), maxPauseMs),
    exhausted: 'Too many concurrent changes of one room or recording. SQS redelivers the message.',
    pause,
  });
}
