import { beforeEach, describe, expect, test } from 'vitest';
import { UsageDayPage } from '#shared/contracts/insights/usage-days.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { jobNamePrefix } from '../support/functions.ts';
import { scriptOf } from '../support/insights/session-script.ts';
import { failing, killAt, meanwhileAt, pointsOfDeath, serviceError } from '../support/process.ts';
import { outputOf } from '../support/transcriptions/fake-transcribe.ts';
import { handOver, inBatches, seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world } = await useWorld();
const random = createRandom(seed, 'usage');

/** The calls of a run that tells one end: the eight shards of the index, the session, and the transaction. */
const callsOfRun = 10;
const day = '2026-03-01';

beforeEach(() => {
  world.clock = new Date(`${day}T10:00:00.000Z`);
});

const later = (minutes: number) => {
  world.clock = new Date(world.clock.getTime() + minutes * 60_000);
};

const settle = async () => {
  later(2);
  expect(await world.settleSessions()).toBe('done');
};

/** What the API shows of an organization, from February to April. */
async function usageOf(organizationId: string) {
  const query = 'from=2026-02-01&to=2026-04-30&limit=100';
  const answer = await world.api('listUsage', { organizationId, query });
  if (answer === 'killed' || answer.status !== 200) throw new Error(JSON.stringify(answer));
  return UsageDayPage.parse(answer.body).results;
}

const empty = {
  participantMinutes: 0,
  recorderMinutes: 0,
  streamerMinutes: 0,
  transcriptions: 0,
  transcribedSeconds: 0,
};
const oneSession = (participantMinutes: number, facts: object = {}) => ({
  ...{ day, roomName: '/standup', sessions: 1, ...empty, participantMinutes, ...facts },
});

/** A session of two people, one of them for a minute and one for two, and a recorder. */
function session(organizationId: string, name: Parameters<typeof scriptOf>[1] = {}) {
  const script = scriptOf(organizationId, name);
  const { started, joined, left, ended } = script;
  const people = [joined('ada', 5), joined('bob', 6), joined('robot', 7, { roleName: 'recorder' }), left('ada', 65)];
  const events: PlatformEvent[] = [started(0), ...people, ended(120)];
  return { script, events };
}
const whole = oneSession(3, { recorderMinutes: 2 });

async function settled(what: string) {
  const organizationId = seededOrganization(what);
  const { script, events } = session(organizationId);
  await handOver(world, inBatches(events));
  await settle();
  expect(await usageOf(organizationId)).toEqual([whole]);
  return { organizationId, script, events };
}

describe('a session counts once', () => {
  test('wherever a run that tells its end dies, or loses an answer', async () => {
    const lostAnswer = failing('TransactWriteItemsCommand', serviceError('InternalServerError', 500), 'after', 5);
    const plans = [...pointsOfDeath(callsOfRun).map(({ call, when }) => killAt(call, when)), lostAnswer];
    for (const [index, plan] of plans.entries()) {
      const organizationId = seededOrganization('dying');
      await handOver(world, inBatches(session(organizationId).events));
      expect(await usageOf(organizationId), 'it has not settled').toEqual([]);
      later(2);
      expect(await world.settleSessions(plan)).toBe(plan === lostAnswer ? 'done' : 'killed');
      await settle();
      expect(await usageOf(organizationId), `plan ${index}`).toEqual([whole]);
    }
  });

  test('if its events come doubled and in any order, and several runs race', async () => {
    for (let round = 0; round < 4; round++) {
      const organizationId = seededOrganization('doubled');
      const { events } = session(organizationId);
      await handOver(world, inBatches(random.shuffled([...events, ...events])), { workers: 4 });
      later(2);
      await Promise.all([1, 2, 3, 4].map(() => world.settleSessions()));
      expect(await usageOf(organizationId)).toEqual([whole]);
    }
  });

  test('beside others of its room, whose ends are told at the same time', async () => {
    const organizationId = seededOrganization('busy');
    const count = 12;
    for (let index = 0; index < count; index++) {
      const roomSessionId = `5e551011-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`;
      await handOver(world, inBatches(session(organizationId, { roomSessionId }).events));
    }
    await settle();
    const all = { sessions: count, participantMinutes: 3 * count, recorderMinutes: 2 * count };
    expect(await usageOf(organizationId)).toEqual([{ ...whole, ...all }]);
  });
});

describe('after a session was counted,', () => {
  test('a late fact changes the minutes by the difference', async () => {
    const { organizationId, script } = await settled('late');
    await handOver(world, [[script.left('bob', 30)]]);
    expect(await usageOf(organizationId), 'it waits until the session has settled').toEqual([whole]);
    await settle();
    expect(await usageOf(organizationId)).toEqual([{ ...whole, participantMinutes: 2 }]);
  });

  test('a late fact at any call of the run that counts another one is counted once', async () => {
    for (let call = 1; call <= callsOfRun; call++) {
      const { organizationId, script } = await settled('overtaken');
      await handOver(world, [[script.left('bob', 30)]]);
      later(2);
      const more = [script.joined('eve', 10), script.left('eve', 20)];
      expect(await world.settleSessions(meanwhileAt(call, () => handOver(world, [more])))).toBe('done');
      await settle();
      expect(await usageOf(organizationId), `before call ${call}`).toEqual([whole]); // one minute less, one more
    }
  });

  test('an earlier start moves it to another day as a whole', async () => {
    const { organizationId, script, events } = await settled('moved');
    const [started] = events;
    const midnight = -9 * 3600; // the script begins at nine
    await handOver(world, [[script.retracted(started as PlatformEvent), script.started(midnight - 60)]]);
    await settle();
    const [before, after, ...others] = await usageOf(organizationId);
    expect(before).toEqual({ ...whole, day: '2026-02-28' });
    expect(after).toEqual({ ...oneSession(0), sessions: 0 });
    expect(others).toEqual([]);
  });

  test('it stays counted while it is open again, and until it ends again', async () => {
    const organizationId = seededOrganization('reopened');
    const { started, joined, ended } = scriptOf(organizationId);
    const guess = { ...ended(60), inferred: true, reason: 'idle' } as PlatformEvent;
    await handOver(world, inBatches<PlatformEvent>([started(0), joined('ada', 5), guess]));
    await settle();
    expect(await usageOf(organizationId)).toEqual([oneSession(1)]);
    await handOver(world, [[joined('bob', 90)]]);
    await settle();
    expect(await usageOf(organizationId)).toEqual([oneSession(1)]);
    await handOver(world, [[ended(300)]]);
    await settle();
    expect(await usageOf(organizationId)).toEqual([oneSession(9)]); // five of ada, and four of bob
  });

  test('it is taken off once all of its events were taken back, wherever the run dies, and counts again if it is back', async () => {
    for (const { call, when } of pointsOfDeath(callsOfRun)) {
      const { organizationId, script, events } = await settled('retracted');
      await handOver(world, inBatches(events.map((event) => script.retracted(event))));
      later(2);
      expect(await world.settleSessions(killAt(call, when))).toBe('killed');
      await Promise.all([settle(), world.settleSessions()]);
      expect(await usageOf(organizationId), `killed ${when} call ${call}`).toEqual([{ ...oneSession(0), sessions: 0 }]);
      await handOver(world, inBatches<PlatformEvent>([script.started(1), script.ended(121)]));
      await settle();
      expect(await usageOf(organizationId)).toEqual([oneSession(0)]);
    }
  });
});

describe('a transcription counts once, on the day on which it becomes ready,', () => {
  const transcribed = { ...oneSession(0), sessions: 0, transcriptions: 1, transcribedSeconds: 60 };

  const started = async () => {
    const recording = await world.recording(seededOrganization('transcribed'));
    const { organizationId } = recording;
    const transcriptionId = await world.create(recording);
    await world.deliver('transcriptionJobs');
    const jobName = `${jobNamePrefix}.${organizationId}.${transcriptionId}`;
    const detail = await world.transcribe.end(jobName, { output: outputOf('hello') });
    return {
      organizationId,
      transcriptionId,
      body: JSON.stringify({ 'detail-type': 'Transcribe Job State Change', detail }),
    };
  };

  test('wherever the worker that ends it dies, or two of them race', async () => {
    const first = await started();
    await world.work('transcriptionResults', [first.body]);
    for (const { call, when } of pointsOfDeath(world.lastCalls.length)) {
      const { organizationId, body } = await started();
      expect(await world.work('transcriptionResults', [body], killAt(call, when))).toBe('killed');
      await Promise.all([1, 2].map(() => world.work('transcriptionResults', [body])));
      expect(await usageOf(organizationId), `killed ${when} call ${call}`).toEqual([transcribed]);
    }
  });

  test('and a deletion takes nothing back', async () => {
    const { organizationId, transcriptionId, body } = await started();
    world.clock = new Date('2026-03-02T00:00:00.000Z');
    await world.work('transcriptionResults', [body]);
    await world.delete(organizationId, transcriptionId);
    expect(await usageOf(organizationId)).toEqual([{ ...transcribed, day: '2026-03-02' }]);
  });
});
