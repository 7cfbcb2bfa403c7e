import type { PlatformEvent } from './events.ts';
import { createRandom } from './random.ts';

/** How the delivery of events differs from once each and in order. */
export type DeliveryPlan = {
  readonly seed: number;
  /** Deliver the events in random order. */
  readonly shuffle: boolean;
  /** The share of events, from 0 to 1, to deliver again one to three times. */
  readonly duplicate: number;
};

const maxCopies = 3;
/** How many events may lie between the first delivery and a repetition. */
const maxLag = 300;

/** The events in the order of their delivery. The same seed gives the same deliveries. */
export function planDeliveries(
  events: readonly PlatformEvent[],
  { seed, shuffle, duplicate }: DeliveryPlan,
): PlatformEvent[] {
  const random = createRandom('deliveries', seed);
  const deliveries = events.flatMap((event, index) => {
    const copies = random.chance(duplicate) ? random.integer(1, maxCopies) : 0;
    const again = Array.from({ length: copies }, () => ({ event, position: index + random.integer(1, maxLag) }));
    return [{ event, position: index }, ...again];
  });
  const ordered = shuffle
    ? random.shuffled(deliveries)
    : deliveries.toSorted((one, other) => one.position - other.position);
  return ordered.map(({ event }) => event);
}
