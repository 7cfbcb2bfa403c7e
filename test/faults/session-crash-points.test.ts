import { describe, expect, test } from 'vitest';
import { type PlatformEvent, queueOf } from '../../tools/simulation/events.ts';
import { inParallel } from '../../tools/simulation/in-parallel.ts';
import { skipPauses } from '../support/no-pauses.ts';
import { handOver, inBatches, seededOrganization } from './support/hand-over.ts';
import { type FaultPlan, killAt } from './support/process.ts';
import { bodiesOf, scriptOf } from './support/session-script.ts';
import { useWorld } from './support/use-world.ts';

/** Skips the pauses between attempts, because the test controls the time. */
skipPauses();

const { world } = await useWorld();

/** The events recorded before, and the batch during which the process dies. */
type Scene = { readonly before: readonly PlatformEvent[]; readonly batch: readonly PlatformEvent[] };
/** The call before or after which a process dies. */
type Death = { readonly call: number; readonly when: 'before' | 'after' };

const parallelDeaths = 12;
const otherSession = '5e551011-0000-4000-8000-000000000002';

const scenes: Record<string, (organizationId: string) => Scene> = {
  'the first event of a session': (organizationId) => ({
    before: [],
    batch: [scriptOf(organizationId).started(0)],
  }),
  'a join': (organizationId) => {
    const { started, joined } = scriptOf(organizationId);
    return { before: [started(0), joined('ada', 1)], batch: [joined('bob', 2, { roleName: 'recorder' })] };
  },
  'a leave': (organizationId) => {
    const { joined, left } = scriptOf(organizationId);
    return { before: [joined('ada', 0), joined('bob', 1)], batch: [left('ada', 90)] };
  },
  'a rating': (organizationId) => {
    const { joined, rated } = scriptOf(organizationId);
    return { before: [joined('ada', 0), rated('ada', 60, 2)], batch: [rated('ada', 70, 4.5, { tags: ['echo'] })] };
  },
  'an end that closes three connections': (organizationId) => {
    const { started, joined, left, ended } = scriptOf(organizationId);
    const open = [joined('ada', 1), joined('bob', 2), joined('eve', 3, { roleName: 'streamer' })];
    return { before: [started(0), ...open, joined('dan', 4), left('dan', 5)], batch: [ended(600)] };
  },
  'a created room': (organizationId) => {
    const { joined, created } = scriptOf(organizationId);
    return { before: [joined('ada', 0)], batch: [created(-60, '2026-03-02T00:00:00Z')] };
  },
  'a batch of everything': (organizationId) => {
    const { created, started, joined, left, rated, ended } = scriptOf(organizationId);
    const other = scriptOf(organizationId, { roomSessionId: otherSession });
    return {
      before: [joined('ada', 5), joined('bob', 6), other.joined('ada', 1000)],
      batch: [
        ...[created(-60), started(0), joined('eve', 7), left('ada', 90), rated('ada', 95, 3), ended(300)],
        ...[other.started(990), other.ended(1100), left('mia', 8), joined('mia', 9)],
      ],
    };
  },
  'network samples of three blocks': (organizationId) => {
    const { joined, sampled } = scriptOf(organizationId);
    const values = Array.from({ length: 4000 }, (_, index) => (index % 7 === 0 ? null : index));
    return { before: [joined('ada', 0)], batch: [sampled('ada', 1, values)] };
  },
};

/** Records a scene for its own organization. The process dies at the given points, and the batch is delivered again. */
async function record(scene: (typeof scenes)[string], ...deaths: readonly Death[]): Promise<void> {
  const { before, batch } = scene(seededOrganization('deaths'));
  await handOver(world, inBatches(before));
  const [queue, bodies] = [queueOf(batch[0] as PlatformEvent), bodiesOf(batch)];
  for (const [index, { call, when }] of deaths.entries()) {
    const outcome = await world.work(queue, bodies, killAt(call, when));
    if (index === 0) expect(outcome, 'the process died at the first point').toBe('killed'); // a later process may end before its point
  }
  expect(await world.work(queue, bodies)).toBe(0);
}

async function callsOf(scene: (typeof scenes)[string]): Promise<number> {
  await record(scene);
  return world.lastCalls.length;
}

describe.each(Object.entries(scenes))('%s', (_, scene) => {
  test('is completed by the next process if one dies before or after any of its calls', async () => {
    const calls = Array.from({ length: await callsOf(scene) }, (__, index) => index + 1);
    const deaths = calls.flatMap((call) => (['before', 'after'] as const).map((when) => ({ call, when })));
    await inParallel(deaths, parallelDeaths, (death) => record(scene, death));
  });
});

/** The process dies before its first call of this command. */
const killBefore =
  (command: string): FaultPlan =>
  (call) =>
    call.command === command ? { kill: 'before' } : undefined;

test('an end that closes 45 connections is completed by the next process if processes die between its transactions', async () => {
  const crowd = Array.from({ length: 45 }, (_, index) => index);
  const transactions = 1 + Math.ceil(crowd.length / 20);
  const deaths = Array.from({ length: 2 * transactions }, (_, index) => index);
  await inParallel(deaths, parallelDeaths, async (death) => {
    const { joined, ended } = scriptOf(seededOrganization(`transaction-${death}`));
    const end = ended(600);
    await handOver(world, inBatches(crowd.map((index) => joined(`person ${index}`, index))));
    let transaction = 0;
    const plan: FaultPlan = ({ command }) =>
      command === 'TransactWriteItemsCommand' && transaction++ === death >> 1
        ? { kill: death % 2 === 0 ? 'before' : 'after' }
        : undefined;
    expect(await world.work('roomEvents', bodiesOf([end]), plan)).toBe('killed');
    await handOver(world, [[end]]);
  });
});

test('facts that several dead processes stored, with more visitors than one transaction allows, are all counted', async () => {
  const organizationId = seededOrganization('visitors');
  const { joined, left } = scriptOf(organizationId);
  const joins = Array.from({ length: 75 }, (_, index) => joined('ada', index, { userId: `user ${index}` }));
  for (const batch of inBatches(joins)) {
    expect(await world.work('roomEvents', bodiesOf(batch), killBefore('GetItemCommand'))).toBe('killed');
  }
  await handOver(world, [[left('ada', 80)]]);
  const rooms = await world.api('listRoomInsights', { organizationId });
  expect(rooms).toMatchObject({ body: { results: [{ totalUniqueParticipants: joins.length }] } });
  await handOver(world, inBatches(joins));
});

describe.each(['a join', 'an end that closes three connections'])('%s', (name) => {
  const scene = scenes[name] as (typeof scenes)[string];

  test('is completed if two processes die one after the other, at any two calls', async () => {
    const count = await callsOf(scene);
    // After one call is the same as before the next, so only the last call has its own "after".
    const points: Death[] = Array.from({ length: count }, (_, index) => ({ call: index + 1, when: 'before' }));
    points.push({ call: count, when: 'after' });
    const pairs = points.flatMap((first) => points.map((second) => [first, second] as const));
    await inParallel(pairs, parallelDeaths, (pair) => record(scene, ...pair));
  });
});
