import type { PlatformEvent } from './events.ts';
import { createRandom } from './random.ts';

/** How events arrive, other than once each and in order. */
export type DeliveryPlan = {
  readonly seed: number;
  /** In any order at all. */
  readonly shuffle: boolean;
  /** The share of events, from 0 to 1, that are delivered again, one to three times. */
  readonly duplicate: number;
};

const maxCopies = 3;
/** How far behind the first delivery another may come, in events. */
const maxLag = 300;

/** The events as they are delivered: the same for the same seed. */
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
