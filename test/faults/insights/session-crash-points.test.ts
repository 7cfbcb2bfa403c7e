import { describe, expect, test } from 'vitest';
import { maxWeight } from '#shared/domain/insights/session/session-log.ts';
import { type PlatformEvent, queueOf } from '#tools/simulation/events.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { bodiesOf, scriptOf } from '../support/insights/session-script.ts';
import { type Death, type FaultPlan, killAt, pairsOfDeaths, pointsOfDeath } from '../support/process.ts';
import { type Scene, scenes, scenesOfTwoDeaths } from '../support/transcriptions/crash-scenes.ts';
import { handOver, inBatches, seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

/** Skips the pauses between attempts, because the test controls the time. */
skipPauses();

const { world } = await useWorld();

type SceneOf = (organizationId: string) => Scene;

const parallelDeaths = 12;

/** Records a scene for its own organization. The process dies at the given points, and the batch is delivered again. */
async function record(scene: SceneOf, ...deaths: readonly Death[]): Promise<void> {
  const { before, batch } = scene(seededOrganization('deaths'));
  await handOver(world, inBatches(before));
  const [queue, bodies] = [queueOf(batch[0] as PlatformEvent), bodiesOf(batch)];
  for (const [index, { call, when }] of deaths.entries()) {
    const outcome = await world.work(queue, bodies, killAt(call, when));
    if (index === 0) expect(outcome, 'the process died at the first point').toBe('killed'); // a later process may end before its point
  }
  expect(await world.work(queue, bodies)).toBe(0);
}

async function callsOf(scene: SceneOf): Promise<number> {
  await record(scene);
  return world.lastCalls.length;
}

describe.each(Object.entries(scenes))('%s', (_, scene) => {
  test('is completed by the next process if one dies before or after any of its calls', async () => {
    const deaths = pointsOfDeath(await callsOf(scene));
    await inParallel(deaths, parallelDeaths, (death) => record(scene, death));
  });
});

/** The process dies before its first call of this command. */
const killBefore =
  (command: string): FaultPlan =>
  (call) =>
    call.command === command ? { kill: 'before' } : undefined;

test('an end that closes 45 connections is completed if processes die while they write the lists, and another event comes first', async () => {
  const crowd = Array.from({ length: 45 }, (_, index) => index);
  const somePuts = [1, 2, 9, 17, 25];
  const deaths = pointsOfDeath(somePuts.length).map(({ call, when }) => ({ put: somePuts[call - 1], when }));
  await inParallel(deaths, parallelDeaths, async ({ put, when }) => {
    const { joined, rated, ended } = scriptOf(seededOrganization(`${when}-put-${put}`));
    const end = ended(600);
    await handOver(world, inBatches(crowd.map((index) => joined(`person ${index}`, index))));
    let puts = 0;
    const plan: FaultPlan = ({ command }) =>
      command === 'PutItemCommand' && ++puts === put ? { kill: when } : undefined;
    expect(await world.work('roomEvents', bodiesOf([end]), plan)).toBe('killed');
    await handOver(world, [[rated('person 7', 300, 4)], [end]]);
  });
});

test('facts that several dead processes stored, more than fit into one block, are all counted', async () => {
  const organizationId = seededOrganization('visitors');
  const { joined, left } = scriptOf(organizationId);
  const joins = Array.from({ length: maxWeight + 10 }, (_, index) => joined('ada', index, { userId: `user ${index}` }));
  for (const batch of inBatches(joins)) {
    expect(await world.work('roomEvents', bodiesOf(batch), killBefore('GetItemCommand'))).toBe('killed');
  }
  await handOver(world, [[left('ada', joins.length)]]);
  const rooms = await world.api('listRoomInsights', { organizationId });
  expect(rooms).toMatchObject({ body: { results: [{ totalUniqueParticipants: joins.length }] } });
  await handOver(world, inBatches(joins));
});

describe.each(scenesOfTwoDeaths)('%s', (name) => {
  const scene = scenes[name];
  const somePairs = 5; // the tests in memory try all of them

  test(`is completed if two processes die one after the other, at any two calls (seed ${seed})`, async () => {
    const pairs = pairsOfDeaths(await callsOf(scene));
    const tried = createRandom(seed, 'two deaths', name).shuffled(pairs).slice(0, somePairs);
    await inParallel(tried, parallelDeaths, (pair) => record(scene, ...pair));
  });
});
