import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import {
  connect,
  type DailyHook,
  meeting,
  outcomeOf,
  platformRows,
  signed,
  stored,
} from '../support/notices/connected-platform.ts';
import {
  type Death,
  failing,
  killAt,
  meanwhileAt,
  pairsOfDeaths,
  pointsOfDeath,
  serviceError,
} from '../support/process.ts';
import { seed } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world, rest } = await useWorld();

const parallelDeaths = 8;
const somePairs = 4;
const { started, ended, joined, left } = meeting();
const bucket = { bucket: 'recordings-of-acme' };

const translate = async (connection: Connection, ...hooks: readonly object[]) => {
  for (const hook of hooks) expect(await world.work('platformHooks', [await stored(world, connection, hook)])).toBe(0);
};

/** What came before, the webhook during which the process dies, and what comes after. */
type Scene = {
  readonly platform?: 'daily' | 'livekit';
  readonly settings?: Connection['settings'];
  readonly before?: readonly DailyHook[];
  readonly hook: object;
  readonly after?: readonly DailyHook[];
};

const fixture = path.resolve(import.meta.dirname, '../../../shared/platforms/livekit/fixtures/room-started.json');
const scenes: Readonly<Record<string, Scene>> = {
  'a webhook that names its session': {
    platform: 'livekit',
    hook: JSON.parse(readFileSync(fixture, 'utf8')).payload,
  },
  'the start of a session': { hook: started(), after: [joined('ada'), ended()] },
  'the end of a session whose start was lost': { before: [joined('ada')], hook: ended() },
  'a join of a session, which is remembered with its participant': {
    ...{ settings: bucket, before: [started()], hook: joined('ada'), after: [left('ada')] },
  },
  'a join before its session, which waits': { hook: joined('ada'), after: [joined('bob'), started(), ended()] },
  'the start of a session for which others wait': {
    ...{ settings: bucket, before: [joined('ada'), joined('bob', 20), left('ada')], hook: started() },
  },
  'a join of the next session, while the first one is known': {
    before: [started(), ended()],
    hook: meeting('standup', 'the next meeting').joined('ada', 700),
    after: [{ type: 'meeting.started', payload: { meeting_id: 'next', room: 'standup', start_ts: 1_772_356_260 } }],
  },
};

/** Plays a scene for a connection of its own. The process dies at the given points, and the queue delivers its message again. */
async function play(
  { platform, settings, before = [], hook, after = [] }: Scene,
  ...deaths: readonly Death[]
): Promise<{ readonly connection: Connection; readonly calls: number }> {
  const connection = await connect(world, platform, settings);
  await translate(connection, ...before);
  const body = await stored(world, connection, hook);
  for (const [index, { call, when }] of deaths.entries()) {
    const outcome = await world.work('platformHooks', [body], killAt(call, when));
    if (index === 0) expect(outcome, 'the process died at the first point').toBe('killed'); // a later process may end before its point
  }
  expect(await world.work('platformHooks', [body])).toBe(0);
  const calls = world.lastCalls.length;
  await translate(connection, ...after);
  return { connection, calls };
}

describe.each(Object.entries(scenes))('%s', (name, scene) => {
  test(`has one outcome, wherever one process dies or two die (seed ${seed})`, async () => {
    const { connection: whole, calls } = await play(scene);
    const pairs = createRandom(seed, 'two deaths', name).shuffled(pairsOfDeaths(calls)).slice(0, somePairs);
    const connections: Connection[] = [];
    const deaths = [...pointsOfDeath(calls).map((death): Death[] => [death]), ...pairs];
    await inParallel(deaths, parallelDeaths, async (some) => {
      connections.push((await play(scene, ...some)).connection);
    });
    await rest();
    const expected = await outcomeOf(world, whole);
    expect(JSON.stringify(expected)).toContain('session 0');
    for (const connection of connections) expect(await outcomeOf(world, connection)).toEqual(expected);
  });
});

describe('a join and the start of its session', () => {
  /** Handles two webhooks, the second one before a call of the first one. If its process dies, it is delivered again. */
  const race = async (one: DailyHook, other: DailyHook, call: number, death?: Death) => {
    const connection = await connect(world);
    const [first, second] = [await stored(world, connection, one), await stored(world, connection, other)];
    let outcome: number | 'killed' = 'killed';
    const meanwhile = async () => {
      outcome = await world.work('platformHooks', [second], death && killAt(death.call, death.when));
    };
    expect(await world.work('platformHooks', [first], meanwhileAt(call, meanwhile))).toBe(0);
    if (outcome === 'killed') outcome = await world.work('platformHooks', [second]);
    expect(outcome).toBe(0);
    return connection;
  };
  const callsOf = async (hook: DailyHook) => {
    const connection = await connect(world);
    await translate(connection, hook);
    return world.lastCalls.length;
  };

  test.each([
    ['the start comes at any call of the join', joined('ada'), started()],
    ['the join comes at any call of the start', started(), joined('ada')],
  ])('find each other if %s', async (_, one, other) => {
    const calls = await callsOf(one);
    const races = Array.from({ length: calls }, (_, index) => ({ call: index + 1, death: undefined }));
    const deaths = pointsOfDeath(await callsOf(other)).map((death) => ({
      call: Math.min(death.call + 1, calls),
      death,
    }));
    const connections: Connection[] = [];
    await inParallel([...races, ...deaths], parallelDeaths, async ({ call, death }) => {
      connections.push(await race(one, other, call, death));
    });
    await rest();
    for (const { organizationId } of connections) {
      const types = world.sent.of(organizationId).map(({ type }) => type);
      expect(types.toSorted()).toEqual(['room.client.joined', 'room.session.started']);
    }
    for (const connection of connections) await translate(connection, ended()); // a change of the room ends every wait
    await rest();
    const outcomes = await Promise.all(connections.map((connection) => outcomeOf(world, connection)));
    expect(JSON.stringify(outcomes[0])).toContain('room.client.joined');
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  });

  test('find each other if they come at once', async () => {
    const people = ['ada', 'bob', 'eve', 'dan'];
    const connections = await Promise.all(Array.from({ length: 15 }, () => connect(world)));
    await inParallel(connections, 3, async (connection) => {
      const hooks = [
        ...people.slice(0, 2).map((name) => joined(name)),
        started(),
        ...people.slice(2).map((name) => joined(name)),
      ];
      const bodies = await Promise.all(hooks.map((hook) => stored(world, connection, hook)));
      const outcomes = await Promise.all(bodies.map((body) => world.work('platformHooks', [body])));
      expect(outcomes).toEqual(hooks.map(() => 0));
    });
    await rest();
    for (const connection of connections) {
      const joins = world.sent.of(connection.organizationId).filter(({ type }) => type === 'room.client.joined');
      expect(joins.map(({ data }) => 'participantId' in data && data.participantId).toSorted()).toEqual(
        people.toSorted(),
      );
      const waiting = (await platformRows(world, connection.organizationId)).filter(({ key }) => key !== undefined);
      expect(waiting).toEqual([]);
    }
  });
});

describe('a webhook that a platform posts', () => {
  const post = (connection: Connection, plan?: Parameters<typeof world.post>[2]) =>
    world.post(connection.organizationId, signed(world, connection, started()), plan);

  test('is not lost if the process dies before or after any of its calls, and the platform repeats it', async () => {
    const whole = await connect(world);
    expect(await post(whole)).toMatchObject({ status: 200 });
    expect(world.lastCalls.map((name) => name.replace('Command', ''))).toEqual([
      ...['GetItem', 'GetSecretValue', 'UpdateItem', 'PutObject', 'SendMessageBatch'],
    ]);
    const connections: Connection[] = [];
    for (const { call, when } of pointsOfDeath(world.lastCalls.length)) {
      const connection = await connect(world);
      expect(await post(connection, killAt(call, when))).toBe('killed');
      expect(await post(connection)).toMatchObject({ status: 200 });
      connections.push(connection);
    }
    await rest();
    const expected = await outcomeOf(world, whole);
    for (const connection of connections) expect(await outcomeOf(world, connection)).toEqual(expected);
  });

  test.each(['GetItem', 'GetSecretValue', 'UpdateItem', 'PutObject', 'SendMessageBatch'])(
    'gets a 5xx if every %s fails, so that the platform repeats it, and a 200 only if it is stored and sent',
    async (command) => {
      const connection = await connect(world);
      const down = failing(`${command}Command`, serviceError('InternalServerError', 500), 'before', 100);
      expect(await post(connection, down)).toMatchObject({ status: expect.toSatisfy((status) => status >= 500) });
      expect(await post(connection)).toMatchObject({ status: 200 });
      await rest();
      expect(world.sent.of(connection.organizationId).map(({ type }) => type)).toEqual(['room.session.started']);
    },
  );
});
