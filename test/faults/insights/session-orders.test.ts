import { describe, expect, test } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { of, scriptOf } from '../support/insights/session-script.ts';
import { permutations, shortHistories } from '../support/insights/short-histories.ts';
import { handOver, inBatches, seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

const { world, logs } = await useWorld();
const random = createRandom(seed, 'orders');

const oneByOne = () => 1;
const parallelOrders = 6;

async function roomsOf(organizationId: string): Promise<Record<string, unknown>[]> {
  const outcome = await world.api('listRoomInsights', { organizationId });
  if (outcome === 'killed' || outcome.status !== 200) throw new Error(JSON.stringify(outcome));
  return (outcome.body as { readonly results: Record<string, unknown>[] }).results;
}

describe.each(Object.entries(shortHistories))('%s', (_, history) => {
  /** Random orders. The tests in memory try many more. */
  const orders = random.shuffled(permutations(history('org'))).slice(0, 2);

  test('gives the same result in any order, with each event delivered alone and twice', async () => {
    await inParallel(orders, parallelOrders, async (order) => {
      const events = of(seededOrganization('order'), order);
      await handOver(world, inBatches([...events, ...random.shuffled(events)], oneByOne));
    });
  });

  test('gives the same result in any order and any batches, with each event delivered one to four times', async () => {
    await inParallel(orders, parallelOrders, async (order) => {
      const events = of(seededOrganization('batches'), order);
      const copies = events.flatMap((event) => Array.from({ length: random.integer(0, 3) }, () => event));
      await handOver(
        world,
        inBatches([...events, ...random.shuffled(copies)], () => random.integer(1, 10)),
      );
    });
  });
});

describe('a repeated event', () => {
  test('counts once if it arrives 1 to 50 times at several workers', async () => {
    const organizationId = seededOrganization('copies');
    const histories = random.shuffled(Object.values(shortHistories)).slice(0, 2);
    const events = histories.flatMap((history) => history(organizationId));
    const copies = events.flatMap((event) => Array.from({ length: random.integer(1, 50) }, () => event));
    await handOver(world, inBatches(random.shuffled(copies)), { workers: 4 });
  });

  test('changes nothing after 15 minutes, 2 hours and 15 days, even with other events in between', async () => {
    const organizationId = seededOrganization('late');
    const { started, joined, left, rated, ended } = scriptOf(organizationId);
    const events = [started(0), joined('ada', 1), rated('ada', 30, 5), left('ada', 61), ended(120)];
    await handOver(world, inBatches(events));
    for (const minutes of [15, 120, 15 * 24 * 60]) {
      world.clock = new Date(world.clock.getTime() + minutes * 60_000);
      const before = await roomsOf(organizationId);
      await handOver(world, inBatches(random.shuffled(events)));
      expect(await roomsOf(organizationId)).toEqual(before);
      await handOver(world, [[joined('bob', 60 + minutes)]]);
    }
    expect(await roomsOf(organizationId)).toMatchObject([{ totalRatings: 1, totalUniqueParticipants: 2 }]);
  });

  test('counts once if the sender sent two messages because an answer was lost', async () => {
    const organizationId = seededOrganization('messages');
    const { joined, rated, sampled } = scriptOf(organizationId);
    for (const event of [joined('ada', 0), rated('ada', 1, 3)]) {
      for (let time = 0; time < 2; time++) await world.queues.send('roomEvents', event);
    }
    const samples = sampled('ada', 5, [1, null, 3]);
    for (let time = 0; time < 2; time++) await world.queues.send('networkSamples', samples);
    await world.settle();
    expect(await roomsOf(organizationId)).toMatchObject([{ totalRatings: 1, totalUniqueParticipants: 1 }]);
  });

  test('with the same identity and different data changes nothing', async () => {
    const organizationId = seededOrganization('first');
    const { joined, rated } = scriptOf(organizationId);
    const [join, rating] = [joined('ada', 0), rated('ada', 10, 2)];
    await handOver(world, inBatches<PlatformEvent>([join, rating]));
    const otherJoin = { ...join, data: { ...join.data, deviceId: 'another', userId: 'another', roleName: 'recorder' } };
    const otherRating = { ...rating, data: { ...rating.data, rating: 5 } };
    await handOver(world, inBatches<PlatformEvent>([otherJoin, otherRating]));
    expect(await roomsOf(organizationId)).toMatchObject([{ rating: 2, totalUniqueRecorders: 0 }]);
  });
});

describe('a batch of events', () => {
  test('with an unknown event version sends only that event to the dead-letter queue and records the others', async () => {
    const organizationId = seededOrganization('version');
    const { started, joined, left } = scriptOf(organizationId);
    const fromTheFuture = { ...joined('eve', 3), version: 99 };
    const good: object[] = [started(0), { ...joined('ada', 1), version: 1 }, left('ada', 70)];
    for (const event of [...good.slice(0, 2), fromTheFuture, ...good.slice(2)]) {
      await world.queues.send('roomEvents', event);
    }
    await world.deliver('roomEvents');
    expect(await roomsOf(organizationId)).toMatchObject([{ totalParticipantMinutes: 2, totalUniqueParticipants: 1 }]);
    await world.settle();
    expect(await world.queues.purgeDeadLetters()).toBe(1);
    expect(logs.text()).toContain('must be 1: the event format has no other version');
  });
});

describe('the clocks of the platform', () => {
  test.each([-86_400, -300, -5, 5, 300, 86_400])(
    'that are off by %i seconds never give negative minutes',
    async (off) => {
      const organizationId = seededOrganization('clock');
      const { started, joined, left, rated, ended } = scriptOf(organizationId);
      const events = [
        ...[started(off), joined('ada', 0), left('ada', 60 + off), joined('bob', off), left('bob', 60)],
        ...[rated('bob', off, 1), joined('eve', 10), ended(100 + off)],
      ];
      await handOver(world, inBatches(random.shuffled(events), oneByOne));
      const rooms = await roomsOf(organizationId);
      expect(rooms).toHaveLength(1);
      for (const [name, value] of Object.entries(rooms[0] ?? {}))
        if (/Minutes$/.test(name)) expect(value).toBeGreaterThanOrEqual(0);
    },
  );

  test.each([
    ['when summer time starts', '2026-03-29T01:59:59+01:00', '2026-03-29T03:00:01+02:00', 1],
    ['when summer time ends', '2026-10-25T02:59:59+02:00', '2026-10-25T02:00:01+01:00', 1],
    ['over a leap day', '2028-02-28T23:59:00Z', '2028-03-01T00:01:00Z', 24 * 60 + 2],
    ['over the end of a year', '2026-12-31T23:59:30Z', '2027-01-01T05:45:30+05:45', 1],
  ])('give the right minutes %s', async (_, joinedAt, leftAt, minutes) => {
    const organizationId = seededOrganization('calendar');
    const { joined, left } = scriptOf(organizationId);
    const events = [
      { ...joined('ada', 0), createdAt: joinedAt },
      { ...left('ada', 0), createdAt: leftAt },
    ];
    await handOver(world, inBatches(random.shuffled<PlatformEvent>(events)));
    expect(await roomsOf(organizationId)).toMatchObject([{ totalParticipantMinutes: minutes }]);
  });
});
