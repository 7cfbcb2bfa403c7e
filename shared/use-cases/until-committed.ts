import { type Pause, retry, tryAgain } from '../retry.ts';
import type { AssertTimeLeft } from '../time-left.ts';

/** Result of one attempt. `lost-race`: another writer was first, so read again. `more-to-do`: committed, and more follows. */
export type Attempt = 'done' | 'lost-race' | 'more-to-do';

/** How long to go on trying, and how to wait in between. */
export type Patience = { readonly assertTimeLeft: AssertTimeLeft; readonly pause?: Pause | undefined };

const maxLostRaces = 30;
const firstPauseMs = 20;
const maxPauseMs = 600;

/**
 * Repeats `attempt` until all is committed. Workers that change one room at once take turns here. After 30 lost races it
 * throws `ServiceUnavailable`, so the message comes again.
 */
export async function untilCommitted(
  attempt: () => Promise<Attempt>,
  { assertTimeLeft, pause }: Patience,
): Promise<void> {
  const untilDoneOrLost = async () => {
    let outcome: Attempt;
    do {
      assertTimeLeft();
      outcome = await attempt();
    } while (outcome === 'more-to-do');
    return outcome === 'lost-race' ? tryAgain : outcome;
  };
  await retry(untilDoneOrLost, {
    maxAttempts: maxLostRaces,
    maxPauseMs: (lostRaces) => Math.min(firstPauseMs * 2 ** (lostRaces - 1), maxPauseMs),
    exhausted: 'Too many concurrent changes of one room. The message comes again.',
    pause,
  });
}
