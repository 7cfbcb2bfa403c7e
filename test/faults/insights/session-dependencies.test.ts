import { describe, expect, test } from 'vitest';
import { roomSortFields } from '#shared/contracts/insights/insights.ts';
import { type PlatformEvent, queueOf } from '#tools/simulation/events.ts';
import { generateHistory } from '#tools/simulation/generate.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { cancelled, indexesThatAreBehind, throttling, unprocessedKeys } from '../support/dynamodb-faults.ts';
import { expectedInsights, type Insights, questionsOf } from '../support/insights/insight-model.ts';
import { readInsights } from '../support/insights/insights-reader.ts';
import { bodiesOf, scriptOf } from '../support/insights/session-script.ts';
import { type FaultPlan, failing, serviceError } from '../support/process.ts';
import { handOver, inBatches, seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

/** Skips the pauses between attempts, because the test controls the time. */
skipPauses();

const { world, rest } = await useWorld();
const random = createRandom(seed, 'dependencies');

const lost = serviceError('InternalServerError', 500);
/** Every sort field of rooms in both directions, and with them all sort fields of the other lists. */
const orders = roomSortFields.flatMap((_, index) => [2 * index, 2 * index + 1]);
/** The SDK's own number of attempts. */
const sdkTries = 3;

/** One event of every kind. */
function oneOfEach(organizationId: string): PlatformEvent[] {
  const { created, started, joined, left, rated, ended, sampled } = scriptOf(organizationId);
  return [
    ...[joined('ada', 5), started(0), created(-60), joined('bob', 7, { roleName: 'recorder' }), left('ada', 90)],
    ...[rated('ada', 95, 3), ended(300), sampled('ada', 6, [1, 2, null, 4])],
  ];
}

async function record(event: PlatformEvent, plan?: FaultPlan): Promise<number | 'killed'> {
  return world.work(queueOf(event), bodiesOf([event]), plan);
}

describe('a write that is applied although its answer is an error', () => {
  test.each(['PutItemCommand', 'TransactWriteItemsCommand'])(
    'counts once for any number of attempts (%s)',
    async (command) => {
      for (const times of [1, sdkTries - 1, sdkTries]) {
        const organizationId = seededOrganization(`lost-${times}`);
        for (const event of oneOfEach(organizationId)) {
          const failures = await record(event, failing(command, lost, 'after', times));
          if (times < sdkTries) expect(failures).toBe(0);
          else await handOver(world, [[event]]);
        }
      }
    },
  );
});

describe('a transaction that is cancelled', () => {
  test.each(
    [['TransactionConflict'], ['ConditionalCheckFailed'], ['TransactionConflict', 'ConditionalCheckFailed']].map(
      (codes) => [codes],
    ),
  )('because of concurrent writes (%j) is retried at once', async (codes) => {
    const organizationId = seededOrganization('conflict');
    for (const [index, event] of oneOfEach(organizationId).entries()) {
      const plan = failing('TransactWriteItemsCommand', cancelled('None', ...codes), 'before', index);
      expect(await record(event, plan)).toBe(0);
    }
  });

  test.each(['ThrottlingError', 'ProvisionedThroughputExceeded', 'ItemCollectionSizeLimitExceeded'])(
    'also for another reason (%s) fails the message, which is retried',
    async (code) => {
      const organizationId = seededOrganization('throttled');
      const event = scriptOf(organizationId).joined('ada', 0);
      const mixed = cancelled('TransactionConflict', code);
      expect(await record(event, failing('TransactWriteItemsCommand', mixed, 'before', sdkTries))).toBe(1);
      expect(await record(event)).toBe(0);
    },
  );

  test('because of concurrent writes at every attempt fails the message, which is retried', async () => {
    const event = scriptOf(seededOrganization('for-ever')).started(0);
    const plan = failing(
      'TransactWriteItemsCommand',
      cancelled('TransactionConflict'),
      'before',
      Number.POSITIVE_INFINITY,
    );
    expect(await record(event, plan)).toBe(1);
    expect(await record(event)).toBe(0);
  });
});

describe('DynamoDB', () => {
  test('causes no loss if it throttles a third of the calls, then all, then none', async () => {
    const organizationId = seededOrganization('burst');
    const events = [...oneOfEach(organizationId), ...oneOfEach(seededOrganization('burst'))];
    for (const event of events) await world.queues.send(queueOf(event), event);
    for (const rate of [0.3, 1, 1]) {
      for (const queue of ['roomEvents', 'networkSamples'] as const)
        await world.deliver(queue, throttling(random, rate));
    }
    await rest();
  });

  test.each([
    ['listRoomInsights', ''],
    ['listRoomSessionInsights', 'roomName=%2Fstandup'],
    ['listParticipants', 'externalId=externalcanary-ada'],
    ['getParticipant', 'roomSessionId=5e551011-0000-4000-8000-000000000001&participantId=ada'],
  ] as const)(
    'that throttles makes %s return Retry-After, and throttling that the SDK retries is not visible',
    async (name, query) => {
      const organizationId = seededOrganization('reads');
      await handOver(world, inBatches(oneOfEach(organizationId)));
      const call = { organizationId, query };
      const expected = await world.api(name, call);
      expect(expected).toMatchObject({ status: 200 });
      for (const command of ['QueryCommand', 'BatchGetItemCommand']) {
        expect(await world.api(name, call, failing(command, lost, 'before', sdkTries - 1))).toEqual(expected);
      }
      expect(await world.api(name, call, throttling(random, 1))).toMatchObject({
        status: 503,
        body: { code: 'service_unavailable' },
        retryAfter: '1',
      });
    },
  );

  test('that leaves half of a batch unprocessed is read again, until the attempts are used up', async () => {
    const organizationId = seededOrganization('unprocessed');
    const events = oneOfEach(organizationId);
    for (const event of events) expect(await record(event, unprocessedKeys(2))).toBe(0);
    const call = { organizationId, query: 'roomName=%2Fstandup' };
    const expected = await world.api('listRoomSessionInsights', call);
    expect(await world.api('listRoomSessionInsights', call, unprocessedKeys(2))).toEqual(expected);
    expect(await world.api('listRoomSessionInsights', call, unprocessedKeys(99))).toMatchObject({ status: 503 });
    const late = scriptOf(organizationId).joined('eve', 10);
    expect(await record(late, unprocessedKeys(99))).toBe(1);
    expect(await record(late)).toBe(0);
  });

  test('whose indexes are behind gives lists without duplicates or outdated items in every order', async () => {
    const organizationId = seededOrganization('behind');
    const day = { rooms: 3, sessions: 3, participants: 4, day: '2026-03-01T00:00:00Z', roomPrefix: '/' };
    const events = generateHistory({ organizationId, ...day, seed }).filter(
      ({ type }) => type !== 'room.client.sampled' && type !== 'room.client.spoke',
    );
    const arriving = random.shuffled(events);
    const all = questionsOf(events);
    const questions = {
      rooms: all.rooms.slice(0, 2),
      sessions: all.sessions.slice(0, 2),
      externalIds: [],
      clients: [],
    };
    const { remember, repeat } = indexesThatAreBehind();
    await handOver(world, inBatches(arriving.slice(0, arriving.length / 2)));
    for (const order of orders) await readInsights(world, organizationId, questions, { order, plan: remember });
    await handOver(world, inBatches(arriving.slice(arriving.length / 2)));
    const current = elementsOf(await expectedInsights(organizationId, events));
    for (const order of orders) {
      const shown = elementsOf(await readInsights(world, organizationId, questions, { order, plan: repeat }));
      expect(shown.length).toBeGreaterThan(0);
      expect(new Set(shown).size, 'no item is listed twice').toBe(shown.length);
      expect(
        shown.filter((element) => !current.includes(element)),
        'no outdated item is listed',
      ).toEqual([]);
    }
  });
});

/** The items of all lists of participants, sessions and rooms. */
function elementsOf({ rooms, sessions, participants }: Insights): string[] {
  const elements: readonly object[] = [rooms, ...Object.values(sessions), ...Object.values(participants)].flat();
  return elements.map((element) => JSON.stringify(element));
}
