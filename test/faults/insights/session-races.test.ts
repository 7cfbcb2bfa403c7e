import { describe, expect, test } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { cancelled } from '../support/dynamodb-faults.ts';
import { bodiesOf, scriptOf } from '../support/insights/session-script.ts';
import { failing, meanwhileAt } from '../support/process.ts';
import { handOver, inBatches, seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

const { world } = await useWorld();
const random = createRandom(seed, 'races');

/** The events recorded before, the event that is recorded slowly, the events recorded completely meanwhile, and those that follow. */
type Race = {
  readonly before: readonly PlatformEvent[];
  readonly slow: PlatformEvent;
  readonly meanwhile: readonly PlatformEvent[];
  readonly afterwards?: readonly PlatformEvent[];
};

const otherSession = '5e551011-0000-4000-8000-000000000002';
const thirdSession = '5e551011-0000-4000-8000-000000000003';
const parallelRaces = 4;

const races: Record<string, (organizationId: string) => Race> = {
  'a join and the same join repeated': (organizationId) => {
    const join = scriptOf(organizationId).joined('ada', 0);
    return { before: [], slow: join, meanwhile: [join] };
  },
  'a join and its leave': (organizationId) => {
    const { started, joined, left } = scriptOf(organizationId);
    return { before: [started(0)], slow: joined('ada', 1), meanwhile: [left('ada', 90)] };
  },
  'a join and its retraction': (organizationId) => {
    const { joined, retracted } = scriptOf(organizationId);
    const join = joined('ada', 1);
    return { before: [joined('bob', 0)], slow: join, meanwhile: [retracted(join)] };
  },
  'a join and the end of the session': (organizationId) => {
    const { started, joined, ended } = scriptOf(organizationId);
    return { before: [started(0), joined('bob', 1)], slow: joined('ada', 2), meanwhile: [ended(90)] };
  },
  'the end of the session and a join with a leave': (organizationId) => {
    const { joined, left, ended } = scriptOf(organizationId);
    const before = [joined('ada', 0), joined('bob', 1)];
    return { before, slow: ended(90), meanwhile: [joined('eve', 2), left('ada', 70)] };
  },
  'two ends of a session': (organizationId) => {
    const { joined, ended } = scriptOf(organizationId);
    return { before: [joined('ada', 0)], slow: ended(90), meanwhile: [ended(150)] };
  },
  'two ratings of one participant': (organizationId) => {
    const { joined, rated } = scriptOf(organizationId);
    return { before: [joined('ada', 0)], slow: rated('ada', 10, 1), meanwhile: [rated('ada', 20, 5)] };
  },
  'two ids of one person in one session': (organizationId) => {
    const { joined } = scriptOf(organizationId);
    const person = { userId: 'the person' };
    return { before: [], slow: joined('ada', 0, person), meanwhile: [joined('ada on the phone', 1, person)] };
  },
  'one person in two sessions of one room': (organizationId) => {
    const other = scriptOf(organizationId, { roomSessionId: otherSession });
    return { before: [], slow: scriptOf(organizationId).joined('ada', 0), meanwhile: [other.joined('ada', 60)] };
  },
  'a known person in two more sessions of the room, which are taken back': (organizationId) => {
    const two = scriptOf(organizationId, { roomSessionId: otherSession });
    const three = scriptOf(organizationId, { roomSessionId: thirdSession });
    const before = [scriptOf(organizationId).joined('ada', 0), two.started(0), three.started(0)];
    const [slow, fast] = [two.joined('ada', 60), three.joined('ada', 60)];
    return { before, slow, meanwhile: [fast], afterwards: [two.retracted(slow), three.retracted(fast)] };
  },
  'the moving starts of two sessions': (organizationId) => {
    const [one, other] = [scriptOf(organizationId), scriptOf(organizationId, { roomSessionId: otherSession })];
    const before = [one.joined('ada', 0), other.joined('ada', 10)];
    return { before, slow: one.started(30), meanwhile: [other.started(-30)] };
  },
  'the start of a session that moves twice': (organizationId) => {
    const { joined, started } = scriptOf(organizationId);
    const other = scriptOf(organizationId, { roomSessionId: otherSession });
    const before = [joined('ada', 0), other.joined('ada', 20)];
    return { before, slow: started(30), meanwhile: [started(10)] };
  },
  'an earlier event and a start equal to the inferred one': (organizationId) => {
    const { rated, left, started } = scriptOf(organizationId);
    return { before: [rated('mia', 120, 1)], slow: left('ada', 0), meanwhile: [started(120)] };
  },
  'a leave and a second join that changes nothing yet': (organizationId) => {
    const { joined, left } = scriptOf(organizationId);
    return { before: [joined('ada', 0)], slow: left('ada', 0), meanwhile: [joined('ada', 0)] };
  },
  'a created room and its first session': (organizationId) => {
    const { created, started } = scriptOf(organizationId);
    return { before: [], slow: created(-60, '2026-03-02T00:00:00Z'), meanwhile: [started(0)] };
  },
  'the first session of a room and two events that create the room': (organizationId) => {
    const { created, joined } = scriptOf(organizationId);
    return { before: [], slow: joined('ada', 0), meanwhile: [created(-60, '2026-03-02T00:00:00Z'), created(-30)] };
  },
};

describe.each(Object.entries(races))('%s', (name, race) => {
  test(`give the right insights if they cross at any of some calls (seed ${seed})`, async () => {
    const clean = race(seededOrganization('clean'));
    await handOver(world, inBatches(clean.before));
    await handOver(world, [[clean.slow]]);
    const all = world.lastCalls.map((_command, index) => index + 1);
    // The tests in memory cross at every call.
    const calls = createRandom(seed, 'races', name)
      .shuffled(all)
      .slice(0, Math.ceil(all.length / 2));
    await inParallel(calls, parallelRaces, async (call) => {
      const { before, slow, meanwhile, afterwards = [] } = race(seededOrganization(`call-${call}`));
      await handOver(world, inBatches(before));
      const plan = meanwhileAt(call, () =>
        handOver(
          world,
          inBatches(meanwhile, () => 1),
        ),
      );
      expect(await world.work('roomEvents', bodiesOf([slow]), plan)).toBe(0);
      await handOver(world, inBatches(afterwards));
    });
  });
});

describe('20 concurrent workers', () => {
  /** Three sessions of one room with the same visitors in each. */
  function crowd(organizationId: string): PlatformEvent[] {
    const sessions = [1, 2, 3].map((number) =>
      scriptOf(organizationId, { roomSessionId: `5e551011-0000-4000-8000-00000000000${number}` }),
    );
    const people = ['ada', 'bob', 'eve', 'mia', 'dan', 'rec'];
    return sessions.flatMap(({ created, started, joined, left, rated, ended }, index) => [
      ...[created(index), started(index * 1000), ended(index * 1000 + 600)],
      ...people.flatMap((who, place) => [
        joined(who, index * 1000 + place, { roleName: who === 'rec' ? 'recorder' : 'guest' }),
        ...(place % 2 === 0 ? [left(who, index * 1000 + 90 + place)] : []),
        rated(who, index * 1000 + 100, 1 + (place % 5)),
      ]),
    ]);
  }

  test('of one room count everything once', async () => {
    const events = crowd(seededOrganization('crowd'));
    await handOver(
      world,
      inBatches(random.shuffled([...events, ...events]), () => random.integer(1, 3)),
      { workers: 20 },
    );
  });

  test('of one room count everything once despite additional conflicts of DynamoDB', async () => {
    const events = crowd(seededOrganization('conflicts'));
    const conflict = () =>
      failing('TransactWriteItemsCommand', cancelled('None', 'TransactionConflict'), 'before', random.integer(0, 3));
    await handOver(
      world,
      inBatches(random.shuffled(events), () => 2),
      { workers: 20, planOf: conflict },
    );
  });
});
