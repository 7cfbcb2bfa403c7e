import { type PlatformEvent, queueOf } from '#tools/simulation/events.ts';
import { settings } from '../../harness/settings.ts';
import { type FaultPlan, noFaults } from '../process.ts';
import type { World } from '../world.ts';

/** The seed of all random choices. Set FAULTS_SEED to repeat a run. Organization ids contain it, so failures show it. */
export const { seed } = settings;

const maxBatch = 10;
const maxTries = 50;
let organizations = 0;

/** A new organization whose id contains the seed and the purpose. */
export function seededOrganization(what: string): string {
  return `org-${seed}-${what}-${++organizations}`;
}

/** The events in order, in batches as a queue delivers them: each of one queue, with at most 10 events. */
export function inBatches<Event extends Pick<PlatformEvent, 'type'>>(
  events: readonly Event[],
  size: () => number = () => maxBatch,
): Event[][] {
  return [...Map.groupBy(events, queueOf).values()].flatMap((ofQueue) => {
    const batches: Event[][] = [];
    for (let from = 0; from < ofQueue.length; from += batches.at(-1)?.length ?? 1) {
      batches.push(ofQueue.slice(from, from + size()));
    }
    return batches;
  });
}

/** The number of concurrent workers, and the fault plan of each batch. */
type Handling = { readonly workers?: number; readonly planOf?: () => FaultPlan };

/** Hands batches to their workers, several at a time, until all of them are done. */
export async function handOver(
  world: World,
  batches: readonly (readonly PlatformEvent[])[],
  { workers = 1, planOf = () => noFaults }: Handling = {},
): Promise<void> {
  const left = batches.map((events) => ({ events, tries: 0 }));
  const work = async () => {
    for (let batch = left.shift(); batch; batch = left.shift()) {
      const { events, tries } = batch;
      const queue = queueOf(events[0] as PlatformEvent); // a batch has at least one event
      const bodies = events.map((event) => JSON.stringify(event));
      if ((await world.work(queue, bodies, planOf())) === 0) continue;
      if (tries === maxTries) throw new Error(`Never done: ${bodies.join('\n')}`);
      left.push({ events, tries: tries + 1 });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
