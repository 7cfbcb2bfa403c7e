import { beforeEach, expect, test } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { scriptOf } from '../support/insights/session-script.ts';
import { type FaultPlan, killAt, meanwhileAt, pointsOfDeath } from '../support/process.ts';
import { handOver, inBatches, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world, rest } = await useWorld({ sessionIdleHours: 2 });

/** The calls of a run that closes one session: the eight shards of the index, the session, its end, and its next hour. */
const callsOfRun = 11;

/** The sessions of earlier tests have ended, so no test finds those of another. */
beforeEach(() => {
  world.clock = new Date('2026-03-01T10:00:00.000Z');
});

const later = (hours: number) => {
  world.clock = new Date(world.clock.getTime() + hours * 3_600_000);
};

/** A session with a start and a join, and nothing after that for hours. */
async function idleSession() {
  const organizationId = seededOrganization('idle');
  const script = scriptOf(organizationId);
  await handOver(world, inBatches<PlatformEvent>([script.started(0), script.joined('ada', 10)]));
  const session = async () => {
    const answer = await world.api('listRoomSessionInsights', { organizationId, query: 'roomName=%2Fstandup' });
    if (answer === 'killed') throw new Error('No process was expected to die.');
    return (answer.body as { readonly results: readonly Record<string, unknown>[] }).results[0];
  };
  const ends = () => world.sent.of(organizationId).filter(({ type }) => type === 'room.session.ended');
  return { organizationId, script, session, ends };
}

/** Runs the worker, and counts its calls. */
const run = async (plan?: FaultPlan) => {
  const outcome = await world.closeIdleSessions(plan);
  return { outcome, calls: world.lastCalls.length };
};

const closed = { endedAt: '2026-03-01T09:00:10.000Z', completeness: { state: 'inferred', missing: ['end', 'leave'] } };

test('an idle session is closed once, wherever the process that closes it dies', async () => {
  for (const death of [undefined, ...pointsOfDeath(callsOfRun)]) {
    const { session, ends } = await idleSession();
    later(3);
    if (death) expect((await run(killAt(death.call, death.when))).outcome).toBe('killed');
    else expect(await run()).toEqual({ outcome: 'done', calls: callsOfRun });
    later(0.25);
    expect((await run()).outcome).toBe('done'); // the next run by the schedule
    await rest();
    expect(await session()).toMatchObject(closed);
    expect(new Set(ends().map(({ id }) => id)).size).toBe(1);
    later(3);
    await run();
    expect(world.queues.count('queues'), 'a session that has ended is not closed again').toBe(0);
  }
});

test('an end that was lost as a dead letter is sent again until the session has ended', async () => {
  const { session, ends } = await idleSession();
  const { queues, deadLetterQueues } = world.resources;
  for (const hours of [100, 150]) {
    later(hours);
    await run();
    expect(await world.queues.move(queues.roomEvents, deadLetterQueues.roomEvents)).toBe(1);
    await world.queues.purgeDeadLetters();
    await run();
    expect(world.queues.count('queues'), 'it is not repeated at once').toBe(0);
    expect(await session()).toMatchObject({ endedAt: null });
  }
  later(300);
  await run();
  await rest();
  expect(await session()).toMatchObject(closed);
  expect(ends()).toHaveLength(1);
});

test('an event that comes at any call of the run keeps the session open, or opens it again', async () => {
  for (let call = 1; call <= callsOfRun; call++) {
    const { script, session } = await idleSession();
    later(3);
    const rejoined = script.joined('bob', (world.clock.getTime() - Date.parse('2026-03-01T09:00:00.000Z')) / 1000 - 60);
    await run(meanwhileAt(call, () => handOver(world, [[rejoined]])));
    await world.settle();
    expect(await session(), `before call ${call}`).toMatchObject({ endedAt: null });
    later(300);
    await run();
    await rest();
    expect(await session()).toMatchObject({ endedAt: rejoined.createdAt });
  }
});
