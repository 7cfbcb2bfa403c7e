import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRandom } from '#tools/simulation/random.ts';
import { documented } from '../../support/docs/documented-consumption.ts';
import {
  consumptionInTwoHours,
  consumptionOfEvents,
  consumptionOfLatecomers,
  consumptionOfSamples,
  consumptionOfSession,
  type Measuring,
} from '../../support/insights/insight-consumption.ts';
import { type InsightTables, insightFunctions } from '../../support/insights/insight-functions.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { endpoints } from '../../support/machine.ts';
import { organizationId } from '../../support/operations/records.ts';
import { capacityMeter } from '../../support/storage/capacity-meter.ts';
import { consumptionOfLists, fillLists } from '../../support/storage/list-consumption.ts';

const tables = endpoints.tables as InsightTables;

/**
 * An organization with an id as long as a Cognito client id: the cost of an item depends on the length of its names. The id is the same in
 * every run, as the other ids are, because the size of a compressed item depends on them.
 */
function startMeasuring(
  name: string,
  options: { readonly sessionIdleHours?: number } = {},
): Measuring & { readonly organizationId: ReturnType<typeof organizationId> } {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const meter = capacityMeter({ region: endpoints.region, credentials, endpoint: endpoints.dynamodbUrl });
  const insights = insightFunctions(meter.documents, tables, options);
  return {
    meter,
    insights,
    organizationId: organizationId(createRandom(name).uuid().replaceAll('-', '').slice(0, 26)),
  };
}

beforeEach(() => {
  captureLogLines();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([20, 2000])('in an organization of %i rooms', (rooms) => {
  test('events and pages consume the capacity that docs/consumption.json states', async () => {
    const measuring = startMeasuring(`organization of ${rooms} rooms`);
    const { meter } = measuring;
    await fillLists(meter, tables, measuring.organizationId, rooms);
    const filled = meter.calls.length;

    const measured = {
      ...(await consumptionOfEvents(measuring)),
      ...(await consumptionOfSession(measuring)),
      ...(await consumptionOfSamples(measuring)),
      ...(await consumptionOfLists(measuring)),
    };

    const isPossible = (name: string) => rooms > 100 || !/^rooms.* (page of 100|looked at)$/.test(name);
    const lists = Object.entries(documented.lists).flatMap(([name, row]) => [
      [`${name}, page of 10`, { writes: 0, reads: row['reads of 10'], calls: row['calls of 10'] }] as const,
      [`${name}, page of 100`, { writes: 0, reads: row['reads of 100'], calls: row['calls of 100'] }] as const,
    ]);
    const expected = [...lists, ...Object.entries({ ...documented.events, ...documented.details })];
    expect(measured).toEqual(Object.fromEntries(expected.filter(([name]) => isPossible(name))));
    const calls = meter.calls.slice(filled);
    expect([...new Set(calls.map(({ command }) => command))].toSorted()).toEqual(
      ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'TransactWriteItems'], // in particular, no Scan
    );
    expect(calls.filter(({ input }) => 'FilterExpression' in input)).toEqual([]);
  });
});

test('closing idle sessions costs 4 writes of a session in two hours, and no reads', async () => {
  const without = await consumptionInTwoHours(startMeasuring('a stage that closes no session'));
  const closing = await consumptionInTwoHours(startMeasuring('a stage that closes sessions', { sessionIdleHours: 1 }));
  const added = { 'start of a session': 1, 'another event in the same hour': 0 };
  const later = { 'first event in a later hour': 2, 'end of a session': 1 };
  const expected = Object.entries({ ...added, ...later }).map(([name, writes]) => {
    const before = without[name] ?? { writes: 0, reads: 0, calls: 0 };
    return [name, { ...before, writes: before.writes + writes }];
  });
  expect(closing).toEqual(Object.fromEntries(expected));
});

test('the 200th participant writes as much as the tenth, up to a few pages, and reads the log that has grown', async () => {
  const measuring = startMeasuring('organization of latecomers');
  const fewPages = 4;
  const { measured, logs } = await consumptionOfLatecomers(measuring, [10, 200]);
  const [tenth = {}, last = {}] = measured;
  const [logOfTenth = 0, logOfLast = 0] = logs;
  expect(logOfLast).toBeLessThanOrEqual(8); // up to 32 KB for 200 joins
  for (const kind of ['join', 'rating', 'leave']) {
    const [before, after] = [tenth[kind], last[kind]];
    expect(after?.writes, kind).toBeLessThanOrEqual((before?.writes ?? 0) + fewPages);
    expect(after?.calls, kind).toBeLessThanOrEqual((before?.calls ?? 0) + fewPages);
    expect(after?.reads, kind).toBeLessThanOrEqual((before?.reads ?? 0) + logOfLast - logOfTenth + 1);
  }
});
