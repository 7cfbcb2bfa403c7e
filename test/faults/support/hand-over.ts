import { randomInt } from 'node:crypto';
import { type PlatformEvent, queueOf } from '../../../tools/simulation/events.ts';
import { type FaultPlan, noFaults } from './process.ts';
import type { World } from './world.ts';

/** What chance is made from; given in FAULTS_SEED, a run is repeated. It is part of the organizations' ids, so failures show it. */
export const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));

const maxBatch = 10;
const maxTries = 50;
let organizations = 0;

/** An organization whose id tells the seed, and what is tried. */
export function seededOrganization(what: string): string {
  return `org-${seed}-${what}-${++organizations}`;
}

/** The events in batches as a queue makes them, in their order: each of events of one queue, ten at most. */
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

/** How many workers there are at once, and what goes wrong with each batch. */
type Handling = { readonly workers?: number; readonly planOf?: () => FaultPlan };

/** Hands batches to their workers, so many at once, until each of them is done. */
export async function handOver(
  world: World,
  batches: readonly (readonly PlatformEvent[])[],
  { workers = 1, planOf = () => noFaults }: Handling = {},
): Promise<void> {
  const left = batches.map((events) => ({ events, tries: 0 }));
  const work = async () => {
    for (let batch = left.shift(); batch; batch = left.shift()) {
      const { events, tries } = batch;
      const queue = queueOf(events[0] as PlatformEvent); // a batch has at least one
      const bodies = events.map((event) => JSON.stringify(event));
      if ((await world.work(queue, bodies, planOf())) === 0) continue;
      if (tries === maxTries) throw new Error(`Never done: ${bodies.join('\n')}`);
      left.push({ events, tries: tries + 1 });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
