import { availableParallelism } from 'node:os';

/** A function that may run for longer prepares media or merges hours of speech, so it computes for as long as it runs. */
const longestShortSeconds = 60;

/**
 * How many invocations of a worker run at once: as many as its event source allows. Long ones leave a processor to the other functions and
 * to the runner, because this machine has no processor for each of them.
 */
export function placesOf(
  maximumConcurrency: number,
  timeoutSeconds: number,
  processors = availableParallelism(),
): number {
  return timeoutSeconds <= longestShortSeconds
    ? maximumConcurrency
    : Math.min(maximumConcurrency, Math.max(1, processors - 1));
}
