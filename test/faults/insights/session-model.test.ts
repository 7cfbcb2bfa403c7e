import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { SessionEvent } from '#shared/contracts/insights/session-events.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import { valueDifference } from '#tools/simulation/difference.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { defaultLimits } from '#tools/simulation/recount-events.ts';
import { withLimits } from '../../support/storage/with-limits.ts';
import { expectedInsights, type Insights, questionsOf } from '../support/insights/insight-model.ts';
import { type Caller, MemoryInsights } from '../support/insights/memory-insights.ts';
import { permutations, shortHistories } from '../support/insights/short-histories.ts';
import { Interleaving, type RecordedEvent, type Tally } from '../support/interleaving.ts';
import { problemsOf } from '../support/log-invariants.ts';
import { type Death, FunctionProcess, killAt, pairsOfDeaths } from '../support/process.ts';
import { anyHistory } from '../support/random-history.ts';
import { type Scene, scenes, scenesOfTwoDeaths } from '../support/transcriptions/crash-scenes.ts';
import { inBatches, seed } from '../support/transcriptions/hand-over.ts';

const [organizationId, neighbour] = ['org-1', 'org-2'];
/** Histories of 150 events each, with about 4,000 deliveries. */
const longHistories = 2;
/** All orders of up to six events. */
const maxOrders = 720;
const noTally = (): Tally => ({
  call: 0,
  death: 0,
  'lost answer': 0,
  'failed call': 0,
  'repeated call': 0,
  conflict: 0,
  'lost race': 0,
});

function read(events: readonly PlatformEvent[]): RecordedEvent[] {
  return events.map((event) => RoomEvent.parse(event) as RecordedEvent);
}

async function differenceOf(
  store: MemoryInsights,
  events: readonly PlatformEvent[],
  limits = defaultLimits,
): Promise<string | undefined> {
  const owner = events[0]?.organizationId ?? '';
  return differenceFrom(await expectedInsights(owner, events, limits), store, events);
}

async function differenceFrom(
  expected: Insights,
  store: MemoryInsights,
  events: readonly PlatformEvent[],
): Promise<string | undefined> {
  const owner = events[0]?.organizationId ?? '';
  const difference = valueDifference(expected, await store.insightsFor(owner, questionsOf(events)));
  return difference ?? store.storedSessions().flatMap(problemsOf)[0];
}

test('any history agrees with the recount if its workers interleave, die and lose answers', {
  timeout: 180_000,
}, async () => {
  const tally = noTally();
  let deliveries = 0;
  const sequences = 200;
  await fc.assert(
    fc.asyncProperty(anyHistory(60), fc.integer(), async (history, seed) => {
      const random = createRandom(seed);
      const events = history(organizationId);
      const others = history(neighbour).filter(() => random.chance(0.3));
      const recorded = read([...events, ...others]);
      const again = recorded.filter(() => random.chance(0.3));
      const batches = inBatches(random.shuffled([...recorded, ...again]), () => random.integer(1, 5));
      deliveries += recorded.length + again.length;
      const store = new MemoryInsights();
      await new Interleaving(store, random, { workers: 4, maxFaults: 8, tally }).record(batches);
      expect(await differenceOf(store, events)).toBeUndefined();
      if (others.length > 0) expect(await differenceOf(store, others)).toBeUndefined();
    }),
    { numRuns: sequences },
  );
  expect(deliveries).toBeGreaterThan(sequences * 30);
  expect(Math.min(...Object.values(tally))).toBeGreaterThan(sequences / 10);
});

test('any history agrees with the recount if few events of a participant count', {
  timeout: 180_000,
}, async () => {
  const tally = noTally();
  const [connections, ratings] = [3, 2];
  withLimits({ connections, ratings });
  // The limits apply to all rooms with one session id together, and the recount knows only one room of a session.
  const isOfOneRoom = ({ data }: PlatformEvent) => !('roomSessionId' in data && /^b/i.test(data.roomSessionId ?? ''));
  await fc.assert(
    fc.asyncProperty(anyHistory(60, 30), fc.integer(), async (history, seed) => {
      const random = createRandom(seed);
      const events = history(organizationId).filter(isOfOneRoom);
      const recorded = read(events);
      const again = recorded.filter(() => random.chance(0.3));
      const batches = inBatches(random.shuffled([...recorded, ...again]), () => random.integer(1, 5));
      const store = new MemoryInsights();
      await new Interleaving(store, random, { workers: 4, maxFaults: 8, tally }).record(batches);
      expect(
        await differenceOf(store, events, { joinsAndLeaves: connections, ratings, updates: 5000 }),
      ).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

describe.each(scenesOfTwoDeaths)('%s', (name) => {
  test('is completed if two processes die one after the other, at every pair of calls', async () => {
    const scene = scenes[name](organizationId);
    const calls = (await recordWithDeaths(scene)).calls.length;
    for (const pair of pairsOfDeaths(calls)) await recordWithDeaths(scene, ...pair);
  });
});

/** Records a scene. One process after the other dies, and the last one completes the batch. Returns the last process. */
async function recordWithDeaths({ before, batch }: Scene, ...deaths: readonly Death[]): Promise<FunctionProcess> {
  const store = new MemoryInsights();
  const record = (events: readonly PlatformEvent[], ports = store.ports()) =>
    recordSessionEvents(ports, read(events) as SessionEvent[]);
  await record(before);
  for (const [index, { call, when }] of deaths.entries()) {
    const mortal = new FunctionProcess(killAt(call, when));
    const outcome = await Promise.race([mortal.died.then(() => 'killed'), record(batch, store.ports(callIn(mortal)))]);
    if (index === 0) expect(outcome, 'the process died at the first point').toBe('killed'); // a later process may end before its point
  }
  const last = new FunctionProcess();
  await record(batch, store.ports(callIn(last)));
  expect(await differenceOf(store, [...before, ...batch]), JSON.stringify(deaths)).toBeUndefined();
  return last;
}

/** Makes every call to the store as a call of this process. */
function callIn(process: FunctionProcess): Caller {
  return (name, make) => process.call(name, async () => make());
}

test('long histories agree with the recount if 20 concurrent workers record each event 1 to 50 times', {
  timeout: 180_000,
}, async () => {
  for (const round of Array.from({ length: longHistories }, (_, index) => index)) {
    const random = createRandom(seed, 'long', round);
    const [history] = fc.sample(anyHistory(150, 150), { seed: seed + round, numRuns: 1 });
    const events = history?.(organizationId) ?? [];
    const copies = read(events).flatMap((event) => Array.from({ length: random.integer(1, 50) }, () => event));
    const batches = inBatches(random.shuffled(copies), () => random.integer(1, 10));
    const store = new MemoryInsights();
    await new Interleaving(store, random, { workers: 20, maxFaults: 200, tally: noTally() }).record(batches);
    expect(await differenceOf(store, events), `seed ${seed}, history ${round}`).toBeUndefined();
  }
});

test.each(Object.entries(shortHistories))(
  `%s gives the same result in any order (seed ${seed})`,
  async (name, history) => {
    const events = history(organizationId);
    const orders = createRandom(seed, name)
      .shuffled(permutations(read(events)))
      .slice(0, maxOrders);
    const expected = await expectedInsights(organizationId, events);
    for (const order of orders) {
      const store = new MemoryInsights();
      const random = createRandom(JSON.stringify(order.map(({ id }) => id)));
      const batches = [...inBatches(order, () => 1), random.shuffled(order)];
      await new Interleaving(store, random, { workers: 1, maxFaults: 0, tally: noTally() }).record(batches);
      expect(await differenceFrom(expected, store, events), JSON.stringify(order)).toBeUndefined();
    }
  },
);
