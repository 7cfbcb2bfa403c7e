import fc from 'fast-check';
import { test } from 'vitest';
import { type PlatformEvent, queueOf } from '#tools/simulation/events.ts';
import { generateHistory } from '#tools/simulation/generate.ts';
import { createRandom, type Random } from '#tools/simulation/random.ts';
import { bodiesOf, canaries, of } from '../support/insights/session-script.ts';
import { killAt } from '../support/process.ts';
import { anyHistory } from '../support/random-history.ts';
import { handOver, inBatches, seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

const { world } = await useWorld();

const rounds = [1];

/**
 * Delivers the events in any order and batches, some of them twice, to workers of which some die. A second organization
 * gets some of them too.
 */
async function deliver(events: readonly PlatformEvent[], random: Random): Promise<void> {
  const neighbours = of(
    seededOrganization('neighbour'),
    events.filter(() => random.chance(0.2)),
  );
  const all = [...events, ...neighbours];
  const again = all.filter(() => random.chance(0.3));
  const batches = inBatches(random.shuffled([...all, ...again]), () => random.integer(1, 10));
  const dying = batches.filter(() => random.chance(0.1));
  for (const batch of dying) {
    const queue = queueOf(batch[0] as PlatformEvent);
    const when = random.chance(0.5) ? 'before' : 'after';
    await world.work(queue, bodiesOf(batch), killAt(random.integer(1, 30), when));
  }
  await handOver(world, batches, { workers: 4 });
}

function withCanaries(event: PlatformEvent): PlatformEvent {
  if (event.type === 'room.client.rated') return { ...event, data: { ...event.data, comment: canaries.comment } };
  if (event.type !== 'room.client.joined') return event;
  const displayName = `${event.data.displayName} ${canaries.displayName}`;
  return { ...event, data: { ...event.data, displayName, userAgent: canaries.userAgent } };
}

test.each(rounds)(
  `a day of room events gives the right insights in any order and with several workers (seed ${seed}, %i)`,
  async (round) => {
    const random = createRandom(seed, 'day', round);
    const events = generateHistory({
      organizationId: seededOrganization('day'),
      rooms: 2,
      sessions: 3,
      participants: 5,
      seed: seed + round,
      day: '2026-03-01T00:00:00Z',
      roomPrefix: '/',
    });
    await deliver(events.map(withCanaries), random);
  },
);

test.each(rounds)(
  `random events of two rooms give the right insights in any order and with several workers (seed ${seed}, %i)`,
  async (round) => {
    const [history] = fc.sample(anyHistory(200), { seed: seed + round, numRuns: 1 });
    await deliver(history?.(seededOrganization('nonsense')) ?? [], createRandom(seed, 'nonsense', round));
  },
);
