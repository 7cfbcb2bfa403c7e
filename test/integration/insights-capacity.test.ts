import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRandom } from '#tools/simulation/random.ts';
import { capacityMeter } from '../support/capacity-meter.ts';
import { costLineOf, documentedCosts } from '../support/documented-consumption.ts';
import {
  consumptionInTwoHours,
  consumptionOfEvents,
  consumptionOfLatecomers,
  consumptionOfSamples,
  consumptionOfSession,
  type Measuring,
} from '../support/insight-consumption.ts';
import { type InsightTables, insightFunctions } from '../support/insight-functions.ts';
import { consumptionOfLists, fillLists } from '../support/list-consumption.ts';
import { captureLogLines } from '../support/log-lines.ts';
import { endpoints } from '../support/machine.ts';
import { organizationId } from '../support/records.ts';

const documented = await documentedCosts('docs/insights-cost.md');
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
  test('events and pages consume the capacity that docs/insights-cost.md states', async () => {
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

    const lines = Object.entries(measured).map(([name, consumption]) => costLineOf(name, consumption));
    const isPossible = (line: string) => rooms > 100 || !/^\| rooms.* (page of 100|looked at) /.test(line);
    expect(lines.toSorted()).toEqual(documented.filter(isPossible).toSorted());
    const calls = meter.calls.slice(filled);
    expect([...new Set(calls.map(({ command }) => command))].toSorted()).toEqual(
      ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'TransactWriteItems'], // in particular, no Scan
    );
    expect(calls.filter(({ input }) => 'FilterExpression' in input)).toEqual([]);
  });
});

test('closing idle sessions costs the writes that docs/insights-cost.md states, and no reads', async () => {
  const without = await consumptionInTwoHours(startMeasuring('a stage that closes no session'));
  const closing = await consumptionInTwoHours(startMeasuring('a stage that closes sessions', { sessionIdleHours: 1 }));
  const page = await readFile('docs/insights-cost.md', 'utf8');
  for (const [name, { writes, reads, calls }] of Object.entries(closing)) {
    expect(page).toContain(`\n| ${name} | ${writes - (without[name]?.writes ?? 0)} |\n`);
    expect({ reads, calls }, name).toEqual({ reads: without[name]?.reads, calls: without[name]?.calls });
  }
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
