import { availableParallelism } from 'node:os';

/** A function that may run for longer prepares media or merges hours of speech, so it computes for as long as it runs. */
const longestShortSeconds = 60;

/**
 * A thread takes 28 MB until the runner stops, and 0.1 s of a processor to start: 16 take 450 MB and 2 s on two cores, 50 take 1.3 GB and
 * 10 to 20 s. What a laptop with 8 GB bears, beside all other functions. A worker that mostly waits asks for more on AWS only.
 */
const mostPlaces = 16;

/**
 * How many invocations of a worker run at once: as many as its event source allows and this machine bears. Long ones leave a processor to
 * the other functions and to the runner, because this machine has no processor for each of them.
 */
export function placesOf(
  maximumConcurrency: number,
  timeoutSeconds: number,
  processors = availableParallelism(),
): number {
  const isLong = timeoutSeconds > longestShortSeconds;
  return Math.min(maximumConcurrency, isLong ? Math.max(1, processors - 1) : mostPlaces);
}
