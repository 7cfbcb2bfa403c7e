import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler as createSettle } from '#functions/workers/insights/settle-sessions/handler.ts';
import { RoomEvent } from '#shared/contracts/events.ts';
import { isSessionFact, type SessionFact } from '#shared/contracts/insights/session-events.ts';
import type { SessionStore } from '#shared/use-cases/insights/ports.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { MemoryInsights } from '../support/insights/memory-insights.ts';
import { bodiesOf, scriptOf } from '../support/insights/session-script.ts';
import { expectTold, noticesOf, sessionsOf } from '../support/insights/told-sessions.ts';
import { failing, killAt, meanwhileAt, pointsOfDeath, serviceError } from '../support/process.ts';
import { anyHistory } from '../support/random-history.ts';
import { handOver, inBatches, seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world } = await useWorld();
const random = createRandom(seed, 'notices');
const parallel = 12;

/** The calls of a run that tells one end: the eight shards of the index, the session, and the transaction. */
const callsOfRun = 10;

beforeEach(() => {
  world.clock = new Date('2026-03-01T10:00:00.000Z');
});

const later = (minutes: number) => {
  world.clock = new Date(world.clock.getTime() + minutes * 60_000);
};

/** Tells what is due two minutes later. */
const settle = async () => {
  later(2);
  expect(await world.settleSessions()).toBe('done');
};

const typesOf = async (organizationId: string) => (await noticesOf(world, organizationId)).map(({ type }) => type);
const [start, end] = ['room.session.started', 'room.session.ended'] as const;

async function expectLastToldIsShown(organizationId: string, what?: string) {
  const [session] = await sessionsOf(world, organizationId);
  if (!session) throw new Error('The session is not shown.');
  expectTold(await noticesOf(world, organizationId), session, what);
}

/** A session that has ended, and all of its events. */
function endedSession(organizationId: string) {
  const script = scriptOf(organizationId);
  const { started, joined, left, rated, ended } = script;
  const events = [started(0), joined('ada', 5), joined('bob', 6), left('ada', 66), rated('ada', 70, 4), ended(120)];
  return { organizationId, script, events };
}

/** A session whose end was told. */
async function toldSession() {
  const session = endedSession(seededOrganization('told'));
  await handOver(world, inBatches<PlatformEvent>(session.events));
  await settle();
  expect(await typesOf(session.organizationId)).toEqual([start, end]);
  return session;
}

describe('a session is told once to have started, and once to have ended with what insights show,', () => {
  test('wherever a process that records its events dies', async () => {
    const clean = endedSession(seededOrganization('clean'));
    await handOver(world, inBatches<PlatformEvent>(clean.events));
    const deaths = pointsOfDeath(world.lastCalls.length);
    const organizations = new Map<string, string>();
    await inParallel(deaths, parallel, async ({ call, when }) => {
      const { organizationId, events } = endedSession(seededOrganization(`${when}-${call}`));
      organizations.set(organizationId, `killed ${when} call ${call}`);
      expect(await world.work('roomEvents', bodiesOf(events), killAt(call, when))).toBe('killed');
      expect(await world.work('roomEvents', bodiesOf(events))).toBe(0);
    });
    await settle();
    await settle();
    for (const [organizationId, what] of organizations) {
      expect(await typesOf(organizationId), what).toEqual([start, end]);
      await expectLastToldIsShown(organizationId, what);
    }
  });

  test('wherever a process that tells its end dies, or loses an answer', async () => {
    const lostAnswer = failing('TransactWriteItemsCommand', serviceError('InternalServerError', 500), 'after', 5);
    const plans = [...pointsOfDeath(callsOfRun).map(({ call, when }) => killAt(call, when)), lostAnswer];
    for (const [index, plan] of plans.entries()) {
      const { organizationId, events } = endedSession(seededOrganization('settle'));
      await handOver(world, inBatches<PlatformEvent>(events));
      later(2);
      expect(await world.settleSessions(plan)).toBe(plan === lostAnswer ? 'done' : 'killed');
      await settle();
      expect(await typesOf(organizationId), `plan ${index}`).toEqual([start, end]);
      await expectLastToldIsShown(organizationId, `plan ${index}`);
      expect(await world.settleSessions()).toBe('done');
      expect(world.lastCalls, 'nothing is due any more').toHaveLength(callsOfRun - 2);
    }
  });

  test('whenever a second run comes while one tells its end', async () => {
    for (let call = 1; call <= callsOfRun; call++) {
      const { organizationId, events } = endedSession(seededOrganization('overlapped'));
      await handOver(world, inBatches<PlatformEvent>(events));
      later(2);
      expect(await world.settleSessions(meanwhileAt(call, () => world.settleSessions()))).toBe('done');
      expect(await typesOf(organizationId), `before call ${call}`).toEqual([start, end]);
      await expectLastToldIsShown(organizationId, `before call ${call}`);
    }
  });

  test(`if its events come doubled, in any order, to several workers, and several runs race (seed ${seed})`, async () => {
    for (let round = 0; round < 4; round++) {
      const { organizationId, events } = endedSession(seededOrganization('doubled'));
      const copies = random.shuffled([...events, ...events, ...events]);
      await handOver(
        world,
        inBatches<PlatformEvent>(copies, () => random.integer(1, 3)),
        { workers: 4 },
      );
      later(2);
      await Promise.all([1, 2, 3, 4].map(() => world.settleSessions()));
      expect(await typesOf(organizationId)).toEqual([start, end]);
      await expectLastToldIsShown(organizationId);
    }
  });
});

describe('after the end was told,', () => {
  test('a late fact is told with the next revision, and a repeated one is not', async () => {
    const { organizationId, script, events } = await toldSession();
    await handOver(world, inBatches<PlatformEvent>(random.shuffled(events)));
    await settle();
    expect(await typesOf(organizationId)).toEqual([start, end]);
    await handOver(world, [[script.rated('bob', 75, 2)]]);
    expect(await typesOf(organizationId), 'it waits until the session has settled').toEqual([start, end]);
    await settle();
    expect(await typesOf(organizationId)).toEqual([start, end, end]);
    await expectLastToldIsShown(organizationId);
  });

  test('a late fact that is taken back before it was told tells nothing', async () => {
    const { organizationId, script } = await toldSession();
    const wrong = script.rated('bob', 75, 2);
    await handOver(world, inBatches<PlatformEvent>([wrong]));
    await handOver(world, inBatches<PlatformEvent>([script.retracted(wrong)]));
    await settle();
    expect(await typesOf(organizationId)).toEqual([start, end]);
  });

  test('a late fact at any call of the run that tells it is told, too', async () => {
    for (let call = 1; call <= callsOfRun; call++) {
      const { organizationId, script } = await toldSession();
      await handOver(world, [[script.rated('bob', 75, 2)]]);
      later(2);
      const late = script.rated('bob', 80, 5);
      expect(await world.settleSessions(meanwhileAt(call, () => handOver(world, [[late]])))).toBe('done');
      await settle();
      await expectLastToldIsShown(organizationId, `before call ${call}`);
    }
  });

  test('a run at any call of the worker that records a late fact uses no revision twice', async () => {
    const clean = await toldSession();
    await handOver(world, [[clean.script.rated('bob', 75, 2)], [clean.script.rated('bob', 80, 5)]]);
    const calls = world.lastCalls.length;
    await settle();
    for (let call = 1; call <= calls; call++) {
      const { organizationId, script } = await toldSession();
      await handOver(world, [[script.rated('bob', 75, 2)]]);
      later(2);
      const plan = meanwhileAt(call, () => world.settleSessions());
      expect(await world.work('roomEvents', bodiesOf([script.rated('bob', 80, 5)]), plan)).toBe(0);
      await settle();
      await expectLastToldIsShown(organizationId, `before call ${call}`);
    }
  });

  test('an inferred end that does not count any more is told as a start with the next revision, and so is the real end', async () => {
    const organizationId = seededOrganization('reopened');
    const { started, joined, ended } = scriptOf(organizationId);
    const guess = { ...ended(60), inferred: true, reason: 'idle' } as PlatformEvent;
    await handOver(world, inBatches<PlatformEvent>([started(0), joined('ada', 5), guess]));
    await settle();
    expect(await typesOf(organizationId)).toEqual([start, end]);
    await handOver(world, [[joined('bob', 90)]]);
    expect(await typesOf(organizationId)).toEqual([start, end, start]);
    await expectLastToldIsShown(organizationId);
    await settle();
    expect(await typesOf(organizationId), 'nothing is due').toEqual([start, end, start]);
    await handOver(world, [[ended(300)]]);
    await settle();
    expect(await typesOf(organizationId)).toEqual([start, end, start, end]);
    await expectLastToldIsShown(organizationId);
  });
});

describe('the end waits', () => {
  test('until no event has come for a minute, and ten minutes at most', async () => {
    const { organizationId, script, events } = endedSession(seededOrganization('busy'));
    await handOver(world, inBatches<PlatformEvent>(events));
    let minutes = 0;
    for (; (await typesOf(organizationId)).length === 1 && minutes < 20; minutes += 0.75) {
      later(0.75);
      await handOver(world, [[script.rated('bob', 80 + minutes, 5)]]);
      await world.settleSessions();
    }
    expect(minutes).toBe(10.5); // the first run after ten minutes
    await settle();
    await expectLastToldIsShown(organizationId);
  });
});

/** Checks that the usage of each day is the sum of its sessions. One that is open again stays counted as it was. */
function expectCounted(store: MemoryInsights) {
  const sums = new Map<string, Record<string, number>>();
  for (const session of store.sessions.values()) {
    const { organizationId, roomName, startedAt, endedAt, told } = session;
    const isOpen = startedAt !== null && endedAt === null;
    const { participantMinutes, recorderMinutes, streamerMinutes } =
      isOpen && told?.counted ? told.counted : session.usage;
    const day = isOpen ? told?.counted?.day : startedAt?.slice(0, 10);
    if (day === undefined) continue;
    const key = JSON.stringify([organizationId, day, roomName]);
    const sum = sums.get(key) ?? {};
    for (const [name, count] of Object.entries({ sessions: 1, participantMinutes, recorderMinutes, streamerMinutes }))
      sum[name] = (sum[name] ?? 0) + count;
    sums.set(key, sum);
  }
  const withoutZeros = (counts: ReadonlyMap<string, Readonly<Record<string, number>>>) =>
    [...counts]
      .map(([key, each]) => [key, Object.fromEntries(Object.entries(each).filter(([, count]) => count !== 0))] as const)
      .filter(([, each]) => Object.keys(each).length > 0);
  expect(new Map(withoutZeros(store.usage))).toEqual(new Map(withoutZeros(sums)));
}

test(`of any history in any order, the last notice of each session tells what insights show, and usage is their sum (seed ${seed})`, async () => {
  captureLogLines();
  await fc.assert(
    fc.asyncProperty(anyHistory(30), fc.integer(), async (history, chosen) => {
      const choices = createRandom(chosen);
      const store = new MemoryInsights();
      let now = Date.parse('2026-03-01T10:00:00.000Z');
      const clock = () => new Date(now);
      const ports = { ...store.ports(), now: clock };
      const { settling, sessions } = store.settling();
      const run = createSettle({ settling, sessions, now: clock });
      const facts = history('org')
        .map((event) => RoomEvent.parse(event))
        .filter((event): event is SessionFact => isSessionFact(event));
      const doubled = choices.shuffled([...facts, ...facts.filter(() => choices.chance(0.3))]);
      for (const fact of doubled) {
        await recordSessionEvents(ports, [fact]);
        now += choices.integer(0, 90_000);
        const find: SessionStore['find'] = async (key) => {
          const found = await sessions.find(key);
          if (choices.chance(0.3))
            await recordSessionEvents(ports, [doubled[choices.integer(0, doubled.length - 1)] ?? fact]);
          return found;
        };
        await createSettle({ settling, sessions: { find }, now: clock })(
          {},
          { getRemainingTimeInMillis: () => 60_000 },
        );
      }
      now += 3_600_000;
      await run({}, { getRemainingTimeInMillis: () => 60_000 });
      for (const session of store.sessions.values()) {
        const told = store.notices.filter(
          ({ data }) =>
            'roomName' in data && data.roomName === session.roomName && data.roomSessionId === session.roomSessionId,
        );
        if (session.startedAt !== null) expectTold(told, store.sessionInsight(session));
        expect(session.settling).toBeUndefined();
      }
      expectCounted(store);
    }),
    { numRuns: 150 },
  );
});
